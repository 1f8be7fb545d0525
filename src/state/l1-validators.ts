import { l1ValidatorTable } from './staking.js';

/**
 * SQL that gives L1 validators of the state the row that others get from the transactions which change them:
 * of those of before a P-chain was begun no transaction is stored.
 *
 * @param which condition over them, `f`
 */
export const nameL1Validators = (which = 'true'): string => `
  INSERT INTO l1_validator (network, validation_id)
  SELECT f.network, f.validation_id FROM ${l1ValidatorTable.name} f
  WHERE f.weight > 0 AND ${which} AND NOT EXISTS (
    SELECT 1 FROM l1_validator known WHERE known.network = f.network AND known.validation_id = f.validation_id)
  ORDER BY 1, 2 ON CONFLICT DO NOTHING`;
