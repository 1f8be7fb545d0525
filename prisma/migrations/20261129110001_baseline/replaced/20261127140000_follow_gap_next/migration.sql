-- The gap that is asked for next: without it all gaps of a pipeline are sorted for each one. See src/follow/gaps.ts.

CREATE INDEX follow_gap_next_idx ON follow_gap (network, name, next_try, height);
