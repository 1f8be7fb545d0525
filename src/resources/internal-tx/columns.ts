import { jsonText, type JsonField } from '../../storage/json-text.js';

const hex = (column: string) => `'0x' || encode(i.${column}, 'hex')`;

/** The fields of an internal transaction's JSON, over `internal_tx i`. */
export const internalTxFields: readonly JsonField[] = [
  { name: 'blockNumber', form: 'plain', sql: 'i.block_number' },
  { name: 'blockTimestamp', form: 'number', sql: 'i.block_timestamp' },
  { name: 'blockHash', form: 'plain', sql: hex('block_hash') },
  { name: 'txHash', form: 'plain', sql: hex('tx_hash') },
  { name: 'from', form: 'json', sql: 'i.from_party::text' },
  { name: 'to', form: 'json', sql: 'i.to_party::text' },
  { name: 'internalTxType', form: 'plain', sql: 'i.type' },
  { name: 'value', form: 'plain', sql: 'i.value' },
  { name: 'isReverted', form: 'number', sql: 'i.is_reverted' },
  { name: 'gasUsed', form: 'plain', sql: 'i.gas_used' },
  { name: 'gasLimit', form: 'plain', sql: 'i.gas_limit' },
];

/** The columns of an InternalTxRow, over `internal_tx i`. */
export const internalTxColumns = `i.id, i.evm_chain_id AS "evmChainId", i.position, i.tie, ${jsonText(internalTxFields)} AS text`;
