-- The vertices of a height, by time.
CREATE INDEX vertex_height_idx ON vertex (network, height, timestamp, vertex_hash);
