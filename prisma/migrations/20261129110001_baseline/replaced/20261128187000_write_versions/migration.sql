-- What changed when, as whoever has an earlier answer asks: docs/decisions/0087-conditional-replies.md.
-- Half of each page is left free, so that a change stays on its page and touches no index.
CREATE TABLE write_version (
  scope text NOT NULL PRIMARY KEY,
  version uuid NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
