-- no transaction
CREATE INDEX CONCURRENTLY vertex_parents_idx ON vertex USING gin (parent_hashes);
