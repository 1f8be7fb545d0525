-- no transaction
-- Messages of a status from or to an address: with these each set of filters has an index by status, as it has one without. The
-- ends are expressions, so that no other index has them: most addresses have few messages, and the planner takes any index
-- that leads to those of one for as good. Reads go on while they are made, and imports of messages wait. See
-- docs/decisions/0027-evm-side.md.
--
-- Each is kept once it is made: an interrupted run goes on with the next one, and imports get by in between.

DO $$
BEGIN
  CREATE INDEX IF NOT EXISTS icm_message_f_status_time_idx
    ON icm_message (network, (details->>'status'), (from_address || ''), (timestamp + 0), message_id, id);
  COMMIT;
  CREATE INDEX IF NOT EXISTS icm_message_t_status_time_idx
    ON icm_message (network, (details->>'status'), (to_address || ''), (timestamp + 0), message_id, id);
  COMMIT;
  CREATE INDEX IF NOT EXISTS icm_message_ft_status_time_idx
    ON icm_message (network, (details->>'status'), (from_address || ''), (to_address || ''), (timestamp + 0), message_id, id);
  COMMIT;
  CREATE INDEX IF NOT EXISTS icm_message_sf_status_time_idx
    ON icm_message (network, (details->>'status'), (source_id + 0), (from_address || ''), (timestamp + 0), message_id, id);
  COMMIT;
  CREATE INDEX IF NOT EXISTS icm_message_st_status_time_idx
    ON icm_message (network, (details->>'status'), (source_id + 0), (to_address || ''), (timestamp + 0), message_id, id);
  COMMIT;
  CREATE INDEX IF NOT EXISTS icm_message_df_status_time_idx
    ON icm_message (network, (details->>'status'), (destination_id + 0), (from_address || ''), (timestamp + 0), message_id, id);
  COMMIT;
  CREATE INDEX IF NOT EXISTS icm_message_dt_status_time_idx
    ON icm_message (network, (details->>'status'), (destination_id + 0), (to_address || ''), (timestamp + 0), message_id, id);
  COMMIT;
  CREATE INDEX IF NOT EXISTS icm_message_sdf_status_time_idx
    ON icm_message (network, (details->>'status'), (source_id + 0), (destination_id + 0), (from_address || ''), (timestamp + 0), message_id, id);
  COMMIT;
  CREATE INDEX IF NOT EXISTS icm_message_sdt_status_time_idx
    ON icm_message (network, (details->>'status'), (source_id + 0), (destination_id + 0), (to_address || ''), (timestamp + 0), message_id, id);
  COMMIT;
  CREATE INDEX IF NOT EXISTS icm_message_sft_status_time_idx
    ON icm_message (network, (details->>'status'), (source_id + 0), (from_address || ''), (to_address || ''), (timestamp + 0), message_id, id);
  COMMIT;
  CREATE INDEX IF NOT EXISTS icm_message_dft_status_time_idx
    ON icm_message (network, (details->>'status'), (destination_id + 0), (from_address || ''), (to_address || ''), (timestamp + 0), message_id, id);
  COMMIT;
  CREATE INDEX IF NOT EXISTS icm_message_sdft_status_time_idx
    ON icm_message (network, (details->>'status'), (source_id + 0), (destination_id + 0), (from_address || ''), (to_address || ''), (timestamp + 0), message_id, id);
  COMMIT;
END $$;
