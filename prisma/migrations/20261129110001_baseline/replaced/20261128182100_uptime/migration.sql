-- How much of its period the followed node has seen a validator online.
ALTER TABLE follow_staker ADD COLUMN uptime numeric(7, 4);
