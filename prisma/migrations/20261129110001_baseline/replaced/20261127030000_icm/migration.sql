-- What happened to messages whose message is not stored yet: see src/resources/icm-message/import-facts.ts.

CREATE TABLE icm_waiting (
  network network NOT NULL,
  message_id bytea NOT NULL,
  blockchain_id text NOT NULL,
  message_executed boolean NOT NULL,
  receipt_delivered boolean NOT NULL,
  reward_details jsonb,
  PRIMARY KEY (network, message_id, blockchain_id)
);
