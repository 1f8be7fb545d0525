-- Transactions of which every node refuses what a stream needs: see src/follow/gaps.ts.

CREATE TABLE follow_gap (
  network network NOT NULL,
  name text NOT NULL,
  height bigint NOT NULL,
  block_id text NOT NULL,
  transactions text[] NOT NULL,
  reason text NOT NULL,
  since timestamptz(3) NOT NULL DEFAULT now(),
  tries integer NOT NULL DEFAULT 0,
  next_try timestamptz(3) NOT NULL,
  PRIMARY KEY (network, name, height)
);
