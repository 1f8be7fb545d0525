import { jsonText, type JsonField } from '../../storage/json-text.js';

const chainFields: readonly JsonField[] = [
  { name: 'messageId', form: 'plain', sql: `encode(m.message_id, 'hex')` },
  { name: 'sourceBlockchainId', form: 'plain', sql: 's.blockchain_id' },
  { name: 'destinationBlockchainId', form: 'plain', sql: 'd.blockchain_id' },
  { name: 'sourceEvmChainId', form: 'plain', sql: 's.evm_chain_id' },
  { name: 'destinationEvmChainId', form: 'plain', sql: 'd.evm_chain_id' },
];

/** SQL of a message as the specification's JSON, over `icm_message m` and its chains `s` and `d`. */
export function messageText(further: readonly JsonField[] = []): string {
  return jsonText([...chainFields, ...further], 'm.details::text');
}

/** `icm_message m` with its chains. */
export const fromMessages = `FROM icm_message m
  JOIN icm_chain s ON s.id = m.source_id JOIN icm_chain d ON d.id = m.destination_id`;

/** A SELECT of IcmMessageRow columns from `icm_message m`, open for a WHERE clause. */
export const selectMessages = `SELECT m.id, m.network, ${messageText()} AS text ${fromMessages}`;
