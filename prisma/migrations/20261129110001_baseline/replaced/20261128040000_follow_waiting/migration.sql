-- Rows of a followed chain that were refused, and are stored in part or not at all: see src/follow/refused.ts.

ALTER TABLE follow_pipeline ADD COLUMN refused_rows bigint NOT NULL DEFAULT 0;

-- Followers that wait for a node which they have not met: see src/follow/waiting.ts.

CREATE TABLE follow_waiting (
  nodes text PRIMARY KEY,
  network network,
  is_l1 boolean NOT NULL,
  note text NOT NULL,
  since timestamptz(3) NOT NULL,
  seen_at timestamptz(3) NOT NULL
);
