-- Where events are sent by HTTP, which, and those that were not sent yet.
CREATE TABLE webhook (
  id bigserial PRIMARY KEY,
  public_id uuid NOT NULL UNIQUE,
  key_id integer NOT NULL REFERENCES api_key (id),
  event_type text NOT NULL,
  network network NOT NULL,
  chain primary_chain NOT NULL,
  url text NOT NULL,
  name text NOT NULL,
  description text NOT NULL,
  metadata jsonb NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  is_paused boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  position bigint,
  missed_at timestamptz(3),
  queued integer NOT NULL DEFAULT 0,
  queued_bytes bigint NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0,
  job_id uuid
);
CREATE INDEX webhook_key_id_id_idx ON webhook (key_id, id);
CREATE INDEX webhook_position_idx ON webhook (position);
CREATE INDEX webhook_fee_threshold_idx ON webhook (network) WHERE metadata ->> 'l1ValidatorFeeBalanceThreshold' IS NOT NULL;

CREATE TABLE webhook_subject (
  id bigserial PRIMARY KEY,
  webhook_id bigint NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
  subject text NOT NULL,
  UNIQUE (webhook_id, subject)
);
CREATE INDEX webhook_subject_subject_idx ON webhook_subject (subject);

CREATE TABLE webhook_level (
  webhook_id bigint NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
  subject text NOT NULL,
  is_above boolean NOT NULL,
  PRIMARY KEY (webhook_id, subject)
);

CREATE TABLE webhook_event (
  id bigserial PRIMARY KEY,
  webhook_id bigint NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
  body text NOT NULL,
  made_at timestamptz(3) NOT NULL DEFAULT now(),
  set_aside_at timestamptz(3),
  reason text
);
CREATE INDEX webhook_event_webhook_id_set_aside_at_id_idx ON webhook_event (webhook_id, set_aside_at, id);

CREATE TABLE webhook_secret (
  key_id integer PRIMARY KEY REFERENCES api_key (id),
  sealed bytea NOT NULL,
  made_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE webhook_position (
  id integer PRIMARY KEY,
  entry bigint NOT NULL,
  step bigint NOT NULL DEFAULT 0,
  holder uuid,
  held_until timestamptz(3)
);
