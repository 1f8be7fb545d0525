-- Streams that are not followed, because no node offers what they need: see src/follow/left-out.ts.

CREATE TABLE follow_left_out (
  network network NOT NULL,
  name text NOT NULL,
  note text NOT NULL,
  PRIMARY KEY (network, name)
);
