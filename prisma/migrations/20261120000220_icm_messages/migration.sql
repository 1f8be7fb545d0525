-- A chain at an end of a message, under the ids that messages give it.
CREATE TABLE icm_chain (
  id serial PRIMARY KEY,
  network network NOT NULL,
  blockchain_id text NOT NULL,
  evm_chain_id numeric(78, 0) NOT NULL
);
CREATE UNIQUE INDEX icm_chain_network_blockchain_id_evm_chain_id_key
  ON icm_chain (network, blockchain_id, evm_chain_id);

CREATE TABLE icm_message (
  id bigserial PRIMARY KEY,
  network network NOT NULL,
  message_id bytea NOT NULL,
  source_id integer NOT NULL REFERENCES icm_chain (id),
  destination_id integer NOT NULL REFERENCES icm_chain (id),
  from_address bytea NOT NULL,
  to_address bytea NOT NULL,
  timestamp bigint NOT NULL,
  details jsonb NOT NULL
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02);
CREATE UNIQUE INDEX icm_message_network_message_id_key ON icm_message (network, message_id);
-- One index for each set of filters, so that whatever is filtered by, a page is one range of one index: any
-- fewer leave a set whose few matches lie scattered among many rows.
CREATE INDEX icm_message_time_idx ON icm_message (network, timestamp, message_id, id);
CREATE INDEX icm_message_s_time_idx ON icm_message (network, source_id, timestamp, message_id, id);
CREATE INDEX icm_message_d_time_idx ON icm_message (network, destination_id, timestamp, message_id, id);
CREATE INDEX icm_message_f_time_idx ON icm_message (network, from_address, timestamp, message_id, id);
CREATE INDEX icm_message_t_time_idx ON icm_message (network, to_address, timestamp, message_id, id);
CREATE INDEX icm_message_sd_time_idx ON icm_message (network, source_id, destination_id, timestamp, message_id, id);
CREATE INDEX icm_message_sf_time_idx ON icm_message (network, source_id, from_address, timestamp, message_id, id);
CREATE INDEX icm_message_st_time_idx ON icm_message (network, source_id, to_address, timestamp, message_id, id);
CREATE INDEX icm_message_df_time_idx ON icm_message (network, destination_id, from_address, timestamp, message_id, id);
CREATE INDEX icm_message_dt_time_idx ON icm_message (network, destination_id, to_address, timestamp, message_id, id);
CREATE INDEX icm_message_ft_time_idx ON icm_message (network, from_address, to_address, timestamp, message_id, id);
CREATE INDEX icm_message_sdf_time_idx ON icm_message (network, source_id, destination_id, from_address, timestamp, message_id, id);
CREATE INDEX icm_message_sdt_time_idx ON icm_message (network, source_id, destination_id, to_address, timestamp, message_id, id);
CREATE INDEX icm_message_sft_time_idx ON icm_message (network, source_id, from_address, to_address, timestamp, message_id, id);
CREATE INDEX icm_message_dft_time_idx ON icm_message (network, destination_id, from_address, to_address, timestamp, message_id, id);
CREATE INDEX icm_message_sdft_time_idx ON icm_message (network, source_id, destination_id, from_address, to_address, timestamp, message_id, id);
