-- Indexes that an import into empty tables put off, until they are made: see docs/decisions/0034-late-indexes.md.
CREATE TABLE late_index (
  name text PRIMARY KEY,
  definition text NOT NULL
);
