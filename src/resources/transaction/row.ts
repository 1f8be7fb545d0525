import type { Network, PrimaryChain } from '../../avalanche/networks.js';
import { parseJson } from '../../json.js';
import { placeAmounts } from '../asset/fields.js';
import { amountLists } from './details.js';
import { restoreUnknown, type TransactionNode } from './fields.js';

const amountListNames = Object.keys(amountLists) as (keyof typeof amountLists)[];

/** A transaction as the database returns it. */
export interface TransactionRow {
  /** Row id, the position that page tokens contain; a decimal text. */
  id: string;
  network: Network;
  chain: PrimaryChain;
  /** The specification's JSON of the transaction, without consumedUtxos and emittedUtxos. */
  text: string;
  /** Which values of the text REST invents: see unknownBits. */
  unknown: number;
}

export function toTransactionNode({ id, network, chain, text, unknown }: TransactionRow): TransactionNode {
  const node = parseJson(text) as TransactionNode;
  node.rowId = id;
  node.network = network;
  node.chain = chain;
  node.text = text;
  for (const list of amountListNames) placeAmounts(node[list], network);
  restoreUnknown(node, unknown);
  return node;
}
