-- Words that gateways write on the primary, to find out whether a standby follows it (docs/decisions/0046-proved-replicas.md).
CREATE TABLE replica_proof (
  word uuid NOT NULL,
  written_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT replica_proof_pkey PRIMARY KEY (word)
);
