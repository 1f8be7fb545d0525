import { jsonText } from '../../storage/json-text.js';

/** SQL of a message as the specification's JSON, over `icm_message m` and its chains `s` and `d`. */
const messageText = jsonText(
  [
    { name: 'messageId', form: 'plain', sql: `encode(m.message_id, 'hex')` },
    { name: 'sourceBlockchainId', form: 'plain', sql: 's.blockchain_id' },
    { name: 'destinationBlockchainId', form: 'plain', sql: 'd.blockchain_id' },
    { name: 'sourceEvmChainId', form: 'plain', sql: 's.evm_chain_id' },
    { name: 'destinationEvmChainId', form: 'plain', sql: 'd.evm_chain_id' },
  ],
  'm.details::text',
);

/** A SELECT of IcmMessageRow columns from `icm_message m`, open for a WHERE clause. */
export const selectMessages = `SELECT m.id, m.network, ${messageText} AS text FROM icm_message m
  JOIN icm_chain s ON s.id = m.source_id JOIN icm_chain d ON d.id = m.destination_id`;
