-- Numbers by day (docs/decisions/0079-numbers-by-day.md). Imports keep them; `moraine rebuild` fills them from what is stored.

CREATE TYPE activity_scope AS ENUM ('p', 'x', 'c', 'network');

CREATE TABLE transaction_day (
  network network NOT NULL,
  day integer NOT NULL,
  chain primary_chain NOT NULL,
  tx_type text NOT NULL,
  transactions bigint NOT NULL,
  burned numeric(97, 0) NOT NULL,
  value numeric(97, 0) NOT NULL,
  PRIMARY KEY (network, day, chain, tx_type)
) WITH (fillfactor = 70);

CREATE TABLE stake_day (
  network network NOT NULL,
  day integer NOT NULL,
  validators_started bigint NOT NULL,
  validators_ended bigint NOT NULL,
  validator_weight_started numeric(97, 0) NOT NULL,
  validator_weight_ended numeric(97, 0) NOT NULL,
  delegators_started bigint NOT NULL,
  delegators_ended bigint NOT NULL,
  delegator_weight_started numeric(97, 0) NOT NULL,
  delegator_weight_ended numeric(97, 0) NOT NULL,
  PRIMARY KEY (network, day)
) WITH (fillfactor = 70);

CREATE TABLE active_address_day (
  network network NOT NULL,
  day integer NOT NULL,
  scope activity_scope NOT NULL,
  active bigint NOT NULL,
  newcomers bigint NOT NULL,
  PRIMARY KEY (network, day, scope)
) WITH (fillfactor = 70);

CREATE TABLE message_day (
  network network NOT NULL,
  day integer NOT NULL,
  chain_id integer NOT NULL,
  sent bigint NOT NULL,
  received bigint NOT NULL,
  PRIMARY KEY (network, day, chain_id)
) WITH (fillfactor = 70);
CREATE INDEX message_day_chain_idx ON message_day (chain_id, day);
