import type { Network } from '../../avalanche/networks.js';
import { digits, fieldsText, id, is, textOf, type Fields, type NodeOf } from '../../fields/field.js';
import { parseJson } from '../../json.js';
import type { NodeSource } from '../../lists/list.js';
import type { IcmDetails } from './details.js';

const evmChainId = { ...digits, type: 'String' };

/** The fields of a message that have columns, over `icm_message m` and its chains `s` and `d`. */
export const icmMessageFields = {
  messageId: {
    sql: `encode(m.message_id, 'hex')`,
    ...is(textOf({ pattern: '^[0-9a-f]{64}$' }), 'Id of the message, hex without 0x'),
  },
  sourceBlockchainId: { sql: 's.blockchain_id', ...is(id, 'Blockchain id of the source, CB58') },
  destinationBlockchainId: { sql: 'd.blockchain_id', ...is(id, 'Blockchain id of the destination, CB58') },
  sourceEvmChainId: { sql: 's.evm_chain_id', ...is(evmChainId, 'EVM chain id of the source, decimal') },
  destinationEvmChainId: {
    sql: 'd.evm_chain_id',
    ...is(evmChainId, 'EVM chain id of the destination, decimal'),
  },
} satisfies Fields;

export type IcmMessageNode = NodeOf<typeof icmMessageFields> &
  IcmDetails & {
    network: Network;
    /** The row's JSON text, for REST. */
    text: string;
  };

export const icmMessageKeys = {
  network: 'm.network',
  sourceBlockchainId: 's.blockchain_id',
  sourceEvmChainId: 's.evm_chain_id',
  destinationBlockchainId: 'd.blockchain_id',
  destinationEvmChainId: 'd.evm_chain_id',
  from: "m.details->>'from'",
  to: "m.details->>'to'",
};

export const icmMessageRows = {
  from: `icm_message m
    JOIN icm_chain s ON s.id = m.source_id JOIN icm_chain d ON d.id = m.destination_id`,
  columns: { id: 'm.id', network: 'm.network', text: fieldsText(icmMessageFields, 'm.details::text') },
  toNode: ({ network, text }: Pick<IcmMessageNode, 'network' | 'text'>) =>
    Object.assign(parseJson(text) as IcmMessageNode, { network, text }),
} satisfies NodeSource<IcmMessageNode>;
