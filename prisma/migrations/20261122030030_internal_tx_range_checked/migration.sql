-- Reads every row, while others read and write.
DO $$
BEGIN
  IF EXISTS (SELECT 1 FROM pg_constraint
             WHERE conrelid = 'internal_tx'::regclass AND conname = 'internal_tx_first_range') THEN
    ALTER TABLE internal_tx VALIDATE CONSTRAINT internal_tx_first_range;
  END IF;
END $$;
