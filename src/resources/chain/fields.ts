import { columnTypes, type RecordOf } from '../../fields/column.js';
import { boolean, choice, digits, fieldsText, id, is, object, text } from '../../fields/field.js';
import type { Fields, Kind, NodeOf } from '../../fields/field.js';
import { asBoolean, asId, asList, asText } from '../../rows/check.js';
import { parseJson } from '../../json.js';
import type { NodeSource } from '../../lists/list.js';
import {
  asEvmChainId,
  asFeature,
  asNetworkToken,
  asStatus,
  asTextOrNone,
  asVmName,
  c,
  chainFeatures,
  chainStatuses,
  vmNames,
} from './columns.js';
import type { ChainFeature, NetworkTokenNode } from './columns.js';

const evmChainId: Kind<string> = { ...digits, type: 'String' };
const features: Kind<ChainFeature[]> = {
  form: 'json',
  type: ['ChainFeature'],
  schema: { type: 'array', items: { type: 'string', enum: chainFeatures } },
};

/** The fields of a chain in the order of its JSON, over `chain c`. */
export const chainFields = {
  chainId: { ...c('evm_chain_id', 'bigint', asEvmChainId), ...is(evmChainId, 'EVM chain id, decimal') },
  status: {
    ...c('status', 'text', asStatus),
    ...is(choice('ChainStatus', chainStatuses), 'Whether the chain produces blocks'),
  },
  chainName: { ...c('chain_name', 'text', asText), ...is(text, 'Name') },
  description: {
    ...c('description', 'text', asTextOrNone),
    ...is(text, 'Description of the chain; may be empty'),
  },
  platformChainId: {
    ...c('platform_chain_id', 'text', asId),
    ...is(id, 'Id of the blockchain on the P-chain, CB58', 'where unknown'),
  },
  subnetId: {
    ...c('subnet_id', 'text', asId),
    ...is(id, 'Id of the subnet whose validators run it, CB58', 'where unknown'),
  },
  vmId: { ...c('vm_id', 'text', asId), ...is(id, 'Id of its virtual machine, CB58', 'where unknown') },
  vmName: {
    ...c('vm_name', 'text', asVmName),
    ...is(choice('VmName', vmNames), 'The kind of its virtual machine'),
  },
  explorerUrl: {
    ...c('explorer_url', 'text', asText),
    ...is(text, 'Address of an explorer', 'where unknown'),
  },
  rpcUrl: { ...c('rpc_url', 'text', asText), ...is(text, 'Public JSON-RPC address; empty where unknown') },
  wsUrl: { ...c('ws_url', 'text', asText), ...is(text, 'Public WebSocket address', 'where unknown') },
  isTestnet: {
    ...c('is_testnet', 'boolean', asBoolean),
    ...is(boolean, 'Whether it belongs to the test network'),
  },
  networkToken: {
    ...c('network_token', 'jsonb', asNetworkToken),
    sql: 'c.network_token::text',
    ...is(object<NetworkTokenNode>('NetworkToken'), 'The token in which it charges gas'),
  },
  chainLogoUri: { ...c('chain_logo_uri', 'text', asText), ...is(text, 'URL of the logo', 'where unknown') },
  private: {
    ...c('private', 'boolean', asBoolean),
    ...is(boolean, 'Whether access to it is restricted', 'where unknown'),
  },
  enabledFeatures: {
    ...c('enabled_features', 'text[]', asList(asFeature)),
    sql: `CASE WHEN c.enabled_features <> '{}' THEN to_json(c.enabled_features)::text END`,
    ...is(features, 'Features available for the chain in addition to its data', 'where unknown'),
  },
} satisfies Fields;

/** REST has it only under the name platformChainId. */
export const blockchainId = {
  blockchainId: { ...c('blockchain_id', 'text', asId), ...is(id, 'Blockchain id, CB58', 'where unknown') },
} satisfies Fields;

/** The fields of a line of a file. */
export const chainLineFields = { ...chainFields, ...blockchainId };

/** SQL types of the columns that an import fills. */
export const chainColumns = columnTypes(chainLineFields);
export type ChainColumns = RecordOf<typeof chainLineFields>;

export const chainSource = { keys: {}, id: 'c.evm_chain_id::text' };

export type ChainNode = NodeOf<typeof chainFields> & {
  /** The row's JSON text, for REST. */
  text: string;
  blockchainId: string | null;
};

export const chainRows = {
  from: 'chain c',
  columns: { id: 'c.id', blockchainId: 'c.blockchain_id', text: fieldsText(chainFields) },
  toNode: ({ text, blockchainId: known }: Pick<ChainNode, 'text' | 'blockchainId'>) => {
    const node = parseJson(text) as ChainNode;
    node.text = text;
    node.blockchainId = known;
    return node;
  },
} satisfies NodeSource<ChainNode>;
