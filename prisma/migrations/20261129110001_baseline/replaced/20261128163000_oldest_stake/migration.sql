-- When the oldest stake of now began: no transaction from before it is looked at for rewards that are not paid yet.
CREATE INDEX follow_staker_start_idx ON follow_staker (network, start_time);
