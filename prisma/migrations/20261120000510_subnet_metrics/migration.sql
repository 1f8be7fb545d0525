CREATE TYPE subnet_series AS ENUM ('fees_paid', 'paying_validators');

CREATE TABLE subnet_metric (
  network network NOT NULL,
  subnet_id text NOT NULL,
  series subnet_series NOT NULL,
  day integer NOT NULL,
  value numeric(78, 0) NOT NULL,
  PRIMARY KEY (network, subnet_id, series, day)
);
