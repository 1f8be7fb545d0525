import { createHash } from 'node:crypto';
import { toBytea } from '../../avalanche/evm.js';
import { recordReader } from '../../fields/column.js';
import type { NodeOf } from '../../fields/field.js';
import { asUint256 } from '../../ingest/check-evm.js';
import { asObject, asRowId, asText, asWhole, ifGiven } from '../../ingest/check.js';
import { RowLeftOut } from '../../ingest/errors.js';
import { asShape } from '../../ingest/shape.js';
import {
  MAX_POSITION,
  internalTxFields,
  internalTxTypes,
  tokenParty,
  type InternalTxColumns,
  type InternalTxNode,
} from './fields.js';

/** A side of an internal transaction, in the order and form of the reply. */
export type Party = NodeOf<typeof tokenParty.fields>;

/** An internal transaction as a line of a file holds it, in the specification's shape. */
export type InternalTxLine = Omit<
  InternalTxNode,
  'evmChainId' | 'position' | 'tie' | 'from' | 'to' | 'internalTxType'
> & {
  from: Party;
  to: Party;
  internalTxType: string;
  /** In files of an export. */
  position?: number;
  rowId?: string;
};

/** An internal transaction as an import writes it: columns of the table as PostgreSQL's texts. */
export interface FrameRecord extends InternalTxColumns {
  /** With `tie`, what identifies it in its transaction: see the model InternalTx. */
  position: string;
  tie: string;
  from_address: string;
  to_address: string;
  from_party: string;
  to_party: string;
}

/** An internal transaction of an import row. */
export interface ImportFrame {
  record: FrameRecord;
  /** The id that it had where it was exported. */
  rowId: string | null;
}

const readColumns = recordReader(internalTxFields);
const asParty = asShape(tokenParty.fields);
const asPosition = asWhole(BigInt(MAX_POSITION));

/**
 * Reads an internal transaction in the specification's shape.
 *
 * @param ordinals of the file
 * @throws RowError; RowLeftOut for a call without value or a frame of another type
 */
export function readFrame(value: unknown, ordinals: FrameOrdinals): ImportFrame {
  const row = asObject<InternalTxLine>(value, 'the line');
  const type = asText(row.internalTxType, 'internalTxType');
  const amount = asUint256(row.value, 'value');
  if (!Object.hasOwn(internalTxTypes, type) || (type.startsWith('CALL') && amount === '0'))
    throw new RowLeftOut(`internalTxType: ${type} of value ${amount} is not kept`);
  const columns = readColumns(row, undefined);
  const from = asParty(row.from, 'from');
  const to = asParty(row.to, 'to');
  const position = ifGiven(asPosition, row.position, 'position');
  const place = position === null ? ordinals.place(columns, from, to) : { position, tie: '0' };
  const sides = {
    from_address: toBytea(from.address),
    to_address: toBytea(to.address),
    from_party: JSON.stringify(from),
    to_party: JSON.stringify(to),
  };
  return { record: { ...columns, ...place, ...sides }, rowId: asRowId(row.rowId) };
}

/**
 * The first 59 bits of the SHA-256 of everything that a frame without position says: equal for equal frames. Held rows
 * are known by it: neither the names nor their order may ever change.
 */
function digestOf(columns: InternalTxColumns, from: Party, to: Party): bigint {
  const said = {
    txHash: toHex(columns.tx_hash),
    position: null,
    blockNumber: columns.block_number,
    blockTimestamp: columns.block_timestamp,
    blockHash: toHex(columns.block_hash),
    ...{ from, to, type: columns.type, value: columns.value },
    isReverted: columns.is_reverted,
    gasUsed: columns.gas_used,
    gasLimit: columns.gas_limit,
  };
  const digest = createHash('sha256').update(JSON.stringify(said)).digest();
  return digest.readBigUInt64BE(0) >> 5n;
}

const toHex = (bytea: string) => `0x${bytea.slice(2)}`;

// Frames of a transaction stand together in a file, or nearly so; further apart than this they are not counted
// together, because a file of any length must be read in constant memory.
const TRANSACTIONS_REMEMBERED = 20_000;

/** Numbers equal frames of a transaction through a file, so that each of them is kept. */
export class FrameOrdinals {
  private readonly counts = new Map<string, Map<string, number>>();

  /** What tells the frame from others of its transaction. */
  place(columns: InternalTxColumns, from: Party, to: Party): Pick<FrameRecord, 'position' | 'tie'> {
    const tie = digestOf(columns, from, to).toString();
    return { position: String(this.next(columns.tx_hash, tie)), tie };
  }

  /** How many equal frames of the transaction came before this one. */
  private next(txHash: string, digest: string): number {
    let frames = this.counts.get(txHash);
    if (!frames) {
      const [oldest] = this.counts.keys();
      if (this.counts.size >= TRANSACTIONS_REMEMBERED && oldest !== undefined) this.counts.delete(oldest);
      frames = new Map();
      this.counts.set(txHash, frames);
    }
    const ordinal = frames.get(digest) ?? 0;
    frames.set(digest, ordinal + 1);
    return ordinal;
  }
}
