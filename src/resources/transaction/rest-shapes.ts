import type { PrimaryChain } from '../../avalanche/networks.js';
import { blockHash, hex, id, is, list, plain, whole } from '../../fields/field.js';
import type { NodeOf } from '../../fields/field.js';
import { ref } from '../../fields/json-schema.js';
import type {
  TransactionRowFragment,
  TransactionWithOutputsFragment,
} from '../../generated/graphql/graphql.js';
import { parseJson } from '../../json.js';
import { shapesText, shapeText, type Shape } from '../../rest/shape.js';
import type { AssetAmountNode } from '../asset/fields.js';
import type { transactionDetails } from './details.js';
import type { transactionFields } from './fields.js';
import { xUtxoShape, type UtxoJson } from './rest-utxo.js';

/*
 * How the clients want a transaction of the X-chain and of the C-chain in a list. One by its hash has the
 * form that the specification has for all chains.
 */

/** Only of the X-chain vertices are selected. */
export type ListedTransaction = TransactionWithOutputsFragment &
  Partial<Pick<TransactionRowFragment, 'vertices'>>;

type TransactionJson = NodeOf<typeof transactionFields> & NodeOf<typeof transactionDetails>;

/** Its texts as objects. */
interface Read {
  transaction: TransactionJson;
  consumed: readonly UtxoJson[];
  emitted: readonly UtxoJson[];
  vertices: TransactionRowFragment['vertices']['nodes'];
}

const amounts = list<AssetAmountNode>('AssetAmount');
const json = JSON.stringify;

/** Sums by asset, in the order in which the assets come first. */
function sumsOf(all: readonly AssetAmountNode[]): string {
  const sums = new Map<string, AssetAmountNode>();
  for (const each of all) {
    const known = sums.get(each.assetId)?.amount ?? '0';
    sums.set(each.assetId, { ...each, amount: String(BigInt(known) + BigInt(each.amount)) });
  }
  return json([...sums.values()]);
}
const assetsOf = (utxos: readonly UtxoJson[]) => utxos.map(({ asset }) => asset);
const xUtxos = (utxos: readonly UtxoJson[]) => shapesText(xUtxoShape, utxos);
const xUtxoList = list<UtxoJson>('XUtxo', ref('XUtxo'));

/** What both forms share. */
const common = {
  txHash: { ...is(id, 'Hash of the transaction, CB58'), of: ({ transaction }) => transaction.txHash },
  txType: { ...is(plain, 'What the transaction does'), of: ({ transaction }) => transaction.txType },
  timestamp: {
    ...is(whole, 'When it was accepted, Unix seconds'),
    of: ({ transaction }) => transaction.blockTimestamp,
  },
  memo: {
    ...is(hex, 'Memo of the transaction, hex with 0x; 0x for none, and where unknown'),
    of: ({ transaction }) => transaction.memo ?? '0x',
  },
  sourceChain: {
    ...is(id, 'Blockchain id of the source of an import or export', 'for other transactions'),
    of: ({ transaction }) => transaction.sourceChain,
  },
  destinationChain: {
    ...is(id, 'Blockchain id of the destination of an import or export', 'for other transactions'),
    of: ({ transaction }) => transaction.destinationChain,
  },
} satisfies Shape<Read>;

const block = {
  blockHeight: {
    ...is(whole, 'Number of its block', 'before the X-chain had blocks'),
    of: ({ transaction }) => (transaction.blockHash ? transaction.blockNumber : null),
  },
  blockHash: {
    ...is(blockHash, 'Hash of its block, CB58, on the C-chain hex with 0x', 'before the X-chain had blocks'),
    of: ({ transaction }) => transaction.blockHash || null,
  },
} satisfies Shape<Read>;

export const vertexShape: Shape<Read['vertices'][number]> = {
  hash: { ...is(id, 'Hash of the vertex, CB58'), of: (vertex) => vertex.vertexHash },
  height: { ...is(whole, 'Its height'), of: (vertex) => vertex.vertexHeight },
  timestamp: { ...is(whole, 'When it was accepted, Unix seconds'), of: (vertex) => vertex.vertexTimestamp },
};

export const xTransactionShape: Shape<Read> = {
  ...common,
  chainFormat: {
    ...is(plain, 'linear for a transaction of a block, non-linear for one of vertices'),
    of: ({ transaction }) => (transaction.blockHash ? 'linear' : 'non-linear'),
  },
  ...block,
  vertices: {
    ...is(
      list('TransactionVertex', ref('TransactionVertex')),
      'Its vertices',
      'for a transaction of a block',
    ),
    of: ({ transaction, vertices }) => (transaction.blockHash ? null : shapesText(vertexShape, vertices)),
  },
  consumedUtxos: {
    ...is(xUtxoList, 'The outputs that the transaction spent'),
    of: ({ consumed }) => xUtxos(consumed),
  },
  emittedUtxos: {
    ...is(xUtxoList, 'The outputs that the transaction created'),
    of: ({ emitted }) => xUtxos(emitted),
  },
  amountUnlocked: {
    ...is(amounts, 'Sums of the outputs that it spent, by asset'),
    of: ({ consumed }) => sumsOf(assetsOf(consumed)),
  },
  amountCreated: {
    ...is(amounts, 'Sums of the outputs that it created, by asset'),
    of: ({ emitted }) => sumsOf(assetsOf(emitted)),
  },
};

/** The amounts of EVM accounts, with what the transaction says of their assets. */
function evmAmounts(given: TransactionJson['evmInputs'], name: string, { transaction }: Read, more: object) {
  const known = new Map(
    [...transaction.value, ...transaction.amountBurned].map((each) => [each.assetId, each]),
  );
  return (given ?? []).map(({ address, assetId, amount }) => ({
    [name]: address,
    asset: { ...(known.get(assetId) as AssetAmountNode), amount },
    ...more,
  }));
}

const ofExport = ({ transaction }: Read) => transaction.txType === 'ExportTx';

export const cTransactionShape: Shape<Read> = {
  ...common,
  ...block,
  evmInputs: {
    ...is(list('EvmInput', ref('EvmInput')), 'What EVM accounts gave; empty where unknown', 'for an import'),
    of: (read) =>
      ofExport(read)
        ? json(evmAmounts(read.transaction.evmInputs, 'fromAddress', read, { credentials: [] }))
        : null,
  },
  evmOutputs: {
    ...is(list('EvmOutput', ref('EvmOutput')), 'What EVM accounts got; empty where unknown', 'for an export'),
    of: (read) =>
      ofExport(read) ? null : json(evmAmounts(read.transaction.evmOutputs, 'toAddress', read, {})),
  },
  consumedUtxos: {
    ...is(xUtxoList, 'The outputs that an import spent', 'for an export'),
    of: (read) => (ofExport(read) ? null : xUtxos(read.consumed)),
  },
  emittedUtxos: {
    ...is(xUtxoList, 'The outputs that an export created', 'for an import'),
    of: (read) => (ofExport(read) ? xUtxos(read.emitted) : null),
  },
  amountUnlocked: {
    ...is(amounts, 'Sums of what it took from outputs or EVM accounts, by asset'),
    of: (read) =>
      ofExport(read)
        ? sumsOf([...read.transaction.value, ...read.transaction.amountBurned])
        : sumsOf(assetsOf(read.consumed)),
  },
  amountCreated: {
    ...is(amounts, 'Sums of what it gave to outputs or EVM accounts, by asset'),
    of: ({ transaction }) => json(transaction.value),
  },
};

/** A transaction as a list of its chain has it, as JSON text. */
export function listedText(listed: ListedTransaction, chain: PrimaryChain): string {
  const { json: text, consumedUtxos, emittedUtxos, vertices } = listed;
  if (chain === 'p')
    return `${text.slice(0, -1)},"consumedUtxos":${consumedUtxos.json},"emittedUtxos":${emittedUtxos.json}}`;
  return shapeText(chain === 'x' ? xTransactionShape : cTransactionShape, {
    transaction: parseJson(text) as TransactionJson,
    consumed: parseJson(consumedUtxos.json) as UtxoJson[],
    emitted: parseJson(emittedUtxos.json) as UtxoJson[],
    vertices: vertices?.nodes ?? [],
  });
}
