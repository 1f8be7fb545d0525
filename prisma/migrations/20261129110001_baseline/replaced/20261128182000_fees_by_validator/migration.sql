-- What each L1 validator has paid: from which sum of fees of one validator to which, and that sum by day.
ALTER TABLE follow_l1_validator ADD COLUMN since_fee numeric(20, 0);
-- What those paid before that pay now is not stored: they are counted from here on.
UPDATE follow_l1_validator v SET since_fee = c.accrued
FROM follow_staking c WHERE c.network = v.network AND v.end_fee > 0;
CREATE INDEX follow_l1_validator_node_idx ON follow_l1_validator (network, node_id);

CREATE TABLE follow_paid_fee (
  network network NOT NULL,
  validation_id text NOT NULL,
  since_fee numeric(20, 0) NOT NULL,
  until_fee numeric(20, 0) NOT NULL,
  PRIMARY KEY (network, validation_id, since_fee)
);

CREATE TABLE follow_fee_day (
  network network NOT NULL,
  day integer NOT NULL,
  accrued numeric(20, 0) NOT NULL,
  PRIMARY KEY (network, day)
);
