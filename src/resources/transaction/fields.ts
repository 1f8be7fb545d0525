import type { Network, PrimaryChain } from '../../avalanche/networks.js';
import {
  blockHash,
  choice,
  digits,
  fieldsText,
  id,
  is,
  unknownBits,
  unknownRestorer,
  whole,
} from '../../fields/field.js';
import type { Fields, NodeOf } from '../../fields/field.js';
import { parseJson } from '../../json.js';
import type { NodeSource } from '../../lists/list.js';
import { setNetworkOf } from '../asset/fields.js';
import { amountLists, type transactionDetails } from './details.js';
import { allTypes, publishedType } from './tx-types.js';

/** The fields of a transaction that have columns, in the order of its JSON, over `transaction t`. */
export const transactionFields = {
  txHash: { sql: 't.tx_hash', ...is(id, 'Hash of the transaction, CB58') },
  txType: {
    sql: 't.tx_type',
    shown: publishedType('t.tx_type'),
    ...is(choice('TxType', allTypes), 'What the transaction does'),
  },
  blockTimestamp: {
    sql: 't.block_timestamp',
    ...is(whole, 'When its block was made, Unix seconds'),
  },
  blockNumber: {
    sql: 't.block_number',
    ...is(digits, 'Number of its block', 'where unknown, for example before the X-chain had blocks'),
    unknown: 0,
  },
  blockHash: {
    sql: 't.block_hash',
    ...is(blockHash, 'Hash of its block, CB58', 'where unknown, for example before the X-chain had blocks'),
    unknown: '',
  },
} satisfies Fields;

/** A transaction as resolvers see it: the row's JSON, unknown values as null. */
export type TransactionNode = NodeOf<typeof transactionFields> &
  NodeOf<typeof transactionDetails> & {
    rowId: string;
    network: Network;
    chain: PrimaryChain;
    /** See namedType. */
    chainTxType: string | null;
    /** The row's JSON text, for REST. */
    text: string;
  };

/** SQL of a transaction's JSON, over `transaction t`. */
export const transactionText = fieldsText(transactionFields, 't.details::text');

/** SQL of the type as the chain names it, over `transaction t`; NULL where it was imported as UNKNOWN. */
export const namedType = `nullif(t.tx_type, 'UNKNOWN')`;

/** SQL of the EVM chain id in the genesis of a created chain; NULL where there is none. See evmChainIdIn. */
export const createdEvmChainId = `(
  SELECT id::numeric FROM (SELECT t.details #>> '{blockchainInfo,genesisData,config,chainId}') config(id)
  WHERE t.tx_type = 'CreateChainTx' AND id ~ '^[0-9]{1,18}$')`;

export const transactionRows = {
  from: 'transaction t',
  columns: {
    id: 't.id',
    network: 't.network',
    chain: 't.chain',
    chainTxType: namedType,
    text: transactionText,
    unknown: unknownBits(transactionFields),
  },
  toNode: toTransactionNode,
} satisfies NodeSource<TransactionNode>;

export const transactionSource = {
  keys: { rowId: 't.id', network: 't.network', chain: 't.chain', txHash: 't.tx_hash' },
  id: "t.network::text || ':' || t.chain::text || ':' || t.tx_hash",
};

/** The columns of its natural key, with their SQL types. */
export const transactionKey = {
  network: ['network', 't.network'],
  chain: ['primary_chain', 't.chain'],
  txHash: ['text', 't.tx_hash'],
} as const;

/** A transaction as the database returns it. */
export interface TransactionRow extends Pick<TransactionNode, 'network' | 'chain' | 'chainTxType' | 'text'> {
  id: string;
  /** Which values of the text REST invents. */
  unknown: number;
}

const amountListNames = Object.keys(amountLists) as (keyof typeof amountLists)[];
const restoreUnknown = unknownRestorer(transactionFields);

function toTransactionNode({
  id,
  network,
  chain,
  chainTxType,
  text,
  unknown,
}: TransactionRow): TransactionNode {
  const node = parseJson(text) as TransactionNode;
  node.rowId = id;
  node.network = network;
  node.chain = chain;
  node.chainTxType = chainTxType;
  node.text = text;
  for (const list of amountListNames) setNetworkOf(node[list], network);
  restoreUnknown(node, unknown);
  return node;
}
