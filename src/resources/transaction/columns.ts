import { jsonText } from '../../storage/json-text.js';

/**
 * SQL of a transaction as the specification's JSON without its UTXO lists, over `transaction t`. An unknown
 * block is written as number "0" and hash "", as REST clients need it.
 */
const transactionText = jsonText(
  [
    { name: 'txHash', form: 'plain', sql: 't.tx_hash' },
    { name: 'txType', form: 'plain', sql: 't.tx_type' },
    { name: 'blockTimestamp', form: 'number', sql: 't.block_timestamp' },
    { name: 'blockNumber', form: 'plain', sql: 'coalesce(t.block_number, 0)' },
    { name: 'blockHash', form: 'plain', sql: `coalesce(t.block_hash, '')` },
  ],
  't.details::text',
);

const transactionUnknown = `(CASE WHEN t.block_number IS NULL THEN 1 ELSE 0 END + CASE WHEN t.block_hash IS NULL THEN 2 ELSE 0 END)`;

/** The columns of a TransactionRow, over `transaction t`. */
export const transactionColumns = `t.id, t.network, t.chain, ${transactionText} AS text, ${transactionUnknown} AS unknown`;
