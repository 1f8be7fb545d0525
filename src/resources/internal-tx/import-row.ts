import { createHash } from 'node:crypto';
import { recordReader } from '../../fields/column.js';
import type { NodeOf } from '../../fields/field.js';
import { asUint256 } from '../../rows/check-evm.js';
import { asMember, asObject, asRowId, asText, asWhole, ifGiven } from '../../rows/check.js';
import { RowError, RowLeftOut } from '../../rows/errors.js';
import { asShape } from '../../rows/shape.js';
import { MAX_POSITION, foreignTypes, internalTxFields, internalTxTypes, tokenParty } from './fields.js';
import type { InternalTxColumns, InternalTxNode, InternalTxType } from './fields.js';

/** A side of an internal transaction, in the order and form of the reply. */
export type Party = NodeOf<typeof tokenParty.fields>;

export type InternalTxLine = Omit<
  InternalTxNode,
  'evmChainId' | 'position' | 'sortKey' | 'from' | 'to' | 'internalTxType'
> & {
  from: Party;
  to: Party;
  internalTxType: string;
  /** In files of an export. */
  position?: number;
  rowId?: string;
};

/** The values of a frame, as columns of the table: PostgreSQL's texts, except its sides. */
export interface FrameRecord extends InternalTxColumns {
  from: Party;
  to: Party;
}

/** A frame of a transaction, identified without a position. */
export interface NthAlike {
  /** See likenessOf. */
  likeness: string;
  /** How many frames that are alike come before it in the file. */
  ordinal: number;
}

/** An internal transaction of an import row. */
export interface ImportFrame extends NthAlike {
  record: FrameRecord;
  /** Its position in its transaction, if the row gives it. */
  position: number | null;
  /** The frame of its transaction that comes before it in the file; null for the first. */
  after: NthAlike | null;
  /** Its id in the installation that exported it. */
  rowId: string | null;
}

const readColumns = recordReader(internalTxFields);
const asPosition = asWhole(BigInt(MAX_POSITION));
const asType = asMember([...(Object.keys(internalTxTypes) as InternalTxType[]), ...foreignTypes]);
const isStored = (type: string): type is InternalTxType => Object.hasOwn(internalTxTypes, type);

/** A side with its members in a fixed order: of an import row, or of the database. @throws RowError */
export const asParty = asShape(tokenParty.fields);

/**
 * Reads an internal transaction in the specification's shape.
 *
 * @param ordinals of the file
 * @throws RowError; RowLeftOut for a call without value or a frame of another type
 */
export function readFrame(value: unknown, ordinals: FrameOrdinals): ImportFrame {
  const row = asObject<InternalTxLine>(value, 'the line');
  const type = readType(row.internalTxType, 'internalTxType');
  if (!isStored(type)) throw new RowLeftOut(`frames of type ${type}`);
  if (type.startsWith('CALL') && asUint256(row.value, 'value') === '0')
    throw new RowLeftOut('calls without value');
  const record: FrameRecord = {
    ...readColumns(row, undefined),
    from: asParty(row.from, 'from'),
    to: asParty(row.to, 'to'),
  };
  const position = ifGiven(asPosition, row.position, 'position');
  const rowId = asRowId(row.rowId);
  return {
    record,
    rowId,
    position: position === null ? null : Number(position),
    ...ordinals.next(record),
  };
}

/** A type outside the closed set is UNKNOWN (docs/contract.md, "Closed value sets"). */
function readType(value: unknown, name: string): string {
  asText(value, name);
  try {
    return asType(value, name);
  } catch (error) {
    if (error instanceof RowError) return 'UNKNOWN';
    throw error;
  }
}

/**
 * The identity of a frame without a position, apart from its ordinal. Without the names of its sides, which
 * sources learn later, and without its block, which a reorganisation changes.
 */
export function likenessOf({ type, from, to, value, gas_used, gas_limit }: FrameRecord): string {
  return [type, from.address, to.address, value, gas_used, gas_limit].join(' ');
}

/**
 * Distinguishes a frame without a position from others of its transaction: the first 59 bits of the SHA-256
 * of all its values except names. Global ids contain it, so that neither the members nor their order may ever
 * change.
 */
export function sortKeyOf({ from, to, ...columns }: FrameRecord): string {
  const said = {
    txHash: toHex(columns.tx_hash),
    position: null,
    blockNumber: columns.block_number,
    blockTimestamp: columns.block_timestamp,
    blockHash: toHex(columns.block_hash),
    from: { address: from.address },
    to: { address: to.address },
    type: columns.type,
    value: columns.value,
    isReverted: columns.is_reverted,
    gasUsed: columns.gas_used,
    gasLimit: columns.gas_limit,
  };
  const digest = createHash('sha256').update(JSON.stringify(said)).digest();
  return (digest.readBigUInt64BE(0) >> 5n).toString();
}

const toHex = (bytea: string) => `0x${bytea.slice(2)}`;

// Frames of a transaction are together in a file, or nearly so; further apart than this they are not counted
// together, because a file of any length must be read in constant memory.
const TRANSACTIONS_REMEMBERED = 20_000;

/**
 * More frames than the gas of a block pays for: calls with a value cost 9,000 each. An import reads all
 * stored frames of a transaction, so their number in a file must be bounded.
 */
export const MOST_FRAMES = 100_000;

/** A transaction, as far as a file was read. */
interface ReadTransaction {
  frames: number;
  alike: Map<string, number>;
  last: NthAlike | null;
}

/**
 * Numbers the frames that are alike of a transaction through a file, so that each is stored, in the file's
 * order.
 */
export class FrameOrdinals {
  private readonly transactions = new Map<string, ReadTransaction>();

  /**
   * The number of a frame among those alike, and the frame before it.
   *
   * @throws RowError when there are too many of any sort
   */
  next(record: FrameRecord): Pick<ImportFrame, keyof NthAlike | 'after'> {
    const transaction = this.transactionOf(record.tx_hash);
    if (transaction.frames >= MOST_FRAMES)
      throw new RowError(`txHash: a transaction has at most ${MOST_FRAMES} frames`);
    transaction.frames += 1;
    const likeness = likenessOf(record);
    const ordinal = transaction.alike.get(likeness) ?? 0;
    transaction.alike.set(likeness, ordinal + 1);
    const after = transaction.last;
    const frame = { likeness, ordinal };
    transaction.last = frame;
    return { ...frame, after };
  }

  private transactionOf(txHash: string): ReadTransaction {
    let transaction = this.transactions.get(txHash);
    if (!transaction) {
      const [oldest] = this.transactions.keys();
      if (this.transactions.size >= TRANSACTIONS_REMEMBERED && oldest !== undefined)
        this.transactions.delete(oldest);
      transaction = { frames: 0, alike: new Map(), last: null };
      this.transactions.set(txHash, transaction);
    }
    return transaction;
  }
}
