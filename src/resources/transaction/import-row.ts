import type { TransactionTypeName } from '../../avalanche/chain/transactions.js';
import { LAST_POSITION, sortKeyAt } from '../../avalanche/sort-key.js';
import { MOST_OUTPUTS } from '../../rows/bounds.js';
import {
  asId,
  asList,
  asObject,
  asRowId,
  asSeconds,
  asText,
  asWhole,
  ifGiven,
  UINT32_MAX,
  wrong,
  type JsonObject,
} from '../../rows/check.js';
import { RowError } from '../../rows/errors.js';
import type { PrimaryScope } from '../../write/scope.js';
import type { ImportAsset } from '../asset/write.js';
import { asBlockHash } from '../block/fields.js';
import { asBlockNumber, knownBlock } from '../utxo/columns.js';
import { readUtxo, type Consumer, type ImportUtxo, type UtxoLine } from '../utxo/import-row.js';
import { readDetails } from './import-details.js';
import type { TransactionNode } from './fields.js';
import { toStoredType } from './tx-types.js';

type OptionalName = 'rowId' | 'blockNumber' | 'blockHash';

export type TransactionLine = Omit<
  TransactionNode,
  'network' | 'chain' | 'chainTxType' | 'text' | 'txType' | OptionalName
> &
  Partial<Pick<TransactionNode, OptionalName>> & {
    txType: string;
    consumedUtxos: UtxoLine[];
    emittedUtxos: UtxoLine[];
    /** Its position in its block, from 0. In files of an export. */
    position?: number;
    /** In files of an export. */
    exact?: boolean;
  };

/** A transaction of an import row. NULL means unknown. */
export interface ImportTransaction {
  txHash: string;
  txType: TransactionTypeName;
  /** Decimal texts. */
  blockTimestamp: string;
  blockNumber: string | null;
  blockHash: string | null;
  /** In its block; undefined: the row does not say; null: unknown, whatever an earlier row said. */
  position: number | null | undefined;
  /** All fields without a column; the four amount lists only if the row has them. */
  details: JsonObject;
  /** Of its hash, block and position. */
  sortKey: string;
  /** In the order of the transaction's lists. */
  outputs: ImportUtxo[];
  inputs: ImportUtxo[];
  /** Its id in the installation that exported it. */
  rowId: string | null;
  /** The assets that the row's amounts describe. */
  assets: ImportAsset[];
}

const asPosition = asWhole(UINT32_MAX);

/**
 * Reads a transaction in the specification's shape.
 *
 * @throws RowError
 */
export function readTransaction(value: unknown, { network, chain }: PrimaryScope): ImportTransaction {
  const row = asObject<TransactionLine>(value, 'the line');
  const txHash = asId(row.txHash, 'txHash');
  const txType = toStoredType(chain, asText(row.txType, 'txType'));
  const blockTimestamp = asSeconds(row.blockTimestamp, 'blockTimestamp');
  const blockHash = readBlockHash(row.blockHash);
  const said = asBlockNumber(row.blockNumber, 'blockNumber');
  const blockNumber = blockHash === null ? knownBlock(said, chain, blockTimestamp) : said;
  const own = { txHash, blockTimestamp, blockNumber };
  const given = ifGiven(asPosition, row.position, 'position');
  const position =
    given === null || blockNumber === null ? undefined : Math.min(Number(given), LAST_POSITION);
  // A row of an export has every value that was known, so none is derived from another.
  const exact = row.exact === true;
  const utxos = (consumer: Consumer | null) =>
    asList((item, name) => within(name, () => readUtxo(item, network, 'it', consumer)), MOST_OUTPUTS);
  const outputs = distinct(utxos(null)(row.emittedUtxos, 'emittedUtxos'), 'emittedUtxos');
  const inputs = distinct(utxos(exact ? null : own)(row.consumedUtxos, 'consumedUtxos'), 'consumedUtxos');
  // For these "0" is the number of their block, which rows of outputs cannot know.
  if (!exact && blockNumber === '0')
    for (const { record } of outputs) if (record.tx_hash === txHash) record.block_number ??= blockNumber;
  const { details, assets } = readDetails(row);
  return {
    ...own,
    txType,
    blockHash,
    outputs,
    inputs,
    position,
    sortKey: sortKeyAt({ blockNumber, position: position ?? null }, txHash).toString(),
    rowId: asRowId(row.rowId),
    details,
    assets: exact ? [] : assets,
  };
}

/**
 * What is left of a transaction's row: its block and time, and its outputs without the names that the
 * creators of assets chose.
 */
export function leastTransaction(value: unknown): unknown {
  const { txHash, txType, blockTimestamp, blockNumber, blockHash, position, exact, ...row } =
    value as Partial<TransactionLine>;
  const outputs = (all: readonly UtxoLine[] = []) =>
    all.map(({ asset, ...output }) => ({ ...output, assetId: asset.assetId, amount: asset.amount }));
  return {
    txHash,
    txType,
    blockTimestamp,
    blockNumber,
    blockHash,
    position,
    exact,
    consumedUtxos: outputs(row.consumedUtxos),
    emittedUtxos: outputs(row.emittedUtxos),
  };
}

function readBlockHash(value: unknown): string | null {
  return value === '' ? null : ifGiven(asBlockHash, value, 'blockHash');
}

function distinct(utxos: ImportUtxo[], name: string): ImportUtxo[] {
  const seen = new Set<string>();
  for (const [index, { record }] of utxos.entries()) {
    if (seen.has(record.utxo_id)) throw wrong(`${name}[${index}].utxoId`, record.utxo_id, 'new in this list');
    seen.add(record.utxo_id);
  }
  return utxos;
}

function within<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof RowError ? new RowError(`${name}.${error.message}`) : error;
  }
}
