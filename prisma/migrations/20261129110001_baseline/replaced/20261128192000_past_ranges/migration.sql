-- The past of a stream of an EVM chain is read in ranges, several at once.
CREATE TABLE follow_range (
  network network NOT NULL,
  name text NOT NULL,
  first_height bigint NOT NULL,
  next_height bigint NOT NULL,
  end_height bigint NOT NULL,
  first_parent text,
  last_id text,
  last_time bigint,
  memo jsonb,
  counters jsonb NOT NULL,
  refused_rows bigint NOT NULL DEFAULT 0,
  note text,
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (network, name, first_height)
);

-- Down to where it is wanted, and how fast it is read.
ALTER TABLE follow_pipeline
  ADD COLUMN past_goal bigint,
  ADD COLUMN past_blocks_per_hour bigint;

-- Found in a range, whose blocks do not follow those of the stream yet.
ALTER TABLE follow_token ADD COLUMN made bigint;
UPDATE follow_token SET made = created;
