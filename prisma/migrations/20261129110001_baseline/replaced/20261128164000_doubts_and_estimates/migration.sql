-- Rewards of which only a node can say who was paid, and estimates that are still to be written.
ALTER TABLE follow_staking
  ADD COLUMN doubted_rewards jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN is_left_out boolean NOT NULL DEFAULT false;
