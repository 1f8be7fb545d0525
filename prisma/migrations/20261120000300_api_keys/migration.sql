CREATE TABLE api_key (
  id serial PRIMARY KEY,
  hash bytea NOT NULL,
  name text NOT NULL,
  plan text NOT NULL,
  rights text[] NOT NULL,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  last_used_at timestamptz(3)
);
CREATE UNIQUE INDEX api_key_hash_key ON api_key (hash);
