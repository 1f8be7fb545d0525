-- Rewards that a node says otherwise than Moraine computes, and rows that were left out while the state differed.
ALTER TABLE follow_staking
  ADD COLUMN doubt text,
  ADD COLUMN doubted_since bigint,
  ADD COLUMN withheld_since bigint;
