import { createHash } from 'node:crypto';
import { EVM_MAX } from '../../avalanche/evm.js';
import { asEvmAddress, asHash, asUint256 } from '../../ingest/check-evm.js';
import { asBoolean, asDigits, asObject, asText, asWhole, INT64_MAX, optional } from '../../ingest/check.js';
import { RowLeftOut } from '../../ingest/errors.js';
import { internalTxTypes, type InternalTxType } from './row.js';

/** An internal transaction of an import row; numbers as decimal texts, bytes in hex with 0x. */
export interface ImportFrame {
  txHash: string;
  /** As the row gives it; null when it gives none. */
  position: string | null;
  blockNumber: string;
  blockTimestamp: string;
  blockHash: string;
  from: Party;
  to: Party;
  type: InternalTxType;
  value: string;
  isReverted: boolean;
  gasUsed: string;
  gasLimit: string;
}

/** A side of it, in the order and form of the reply. */
export interface Party {
  address: string;
  name?: string;
  symbol?: string;
  decimals?: number;
  logoUri?: string;
}

const asBlockNumber = asDigits(EVM_MAX - 1n);
const asTimestamp = asWhole(INT64_MAX);
const asPosition = asWhole(2n ** 31n - 1n);
const asDecimals = asWhole(255n);

/**
 * Reads an internal transaction in the specification's shape.
 *
 * @throws RowError; RowLeftOut for a call without value or a frame of another type
 */
export function readFrame(value: unknown): ImportFrame {
  const row = asObject(value, 'the line');
  const typeText = asText(row.internalTxType, 'internalTxType');
  const type = internalTxTypes.find((each) => each === typeText);
  const amount = asUint256(row.value, 'value');
  if (!type || (type.startsWith('CALL') && amount === '0'))
    throw new RowLeftOut(`internalTxType: ${typeText} of value ${amount} is not kept`);
  return {
    txHash: asHash(row.txHash, 'txHash'),
    position: optional(asPosition, row.position, 'position'),
    blockNumber: asBlockNumber(row.blockNumber, 'blockNumber'),
    blockTimestamp: asTimestamp(row.blockTimestamp, 'blockTimestamp'),
    blockHash: asHash(row.blockHash, 'blockHash'),
    from: readParty(row.from, 'from'),
    to: readParty(row.to, 'to'),
    type,
    value: amount,
    isReverted: asBoolean(row.isReverted, 'isReverted'),
    gasUsed: asUint256(row.gasUsed, 'gasUsed'),
    gasLimit: asUint256(row.gasLimit, 'gasLimit'),
  };
}

function readParty(value: unknown, side: string): Party {
  const party = asObject(value, side);
  const text = (name: string) => optional(asText, party[name], `${side}.${name}`);
  const name = text('name');
  const symbol = text('symbol');
  const decimals = optional(asDecimals, party.decimals, `${side}.decimals`);
  const logoUri = text('logoUri');
  return {
    address: asEvmAddress(party.address, `${side}.address`),
    ...(name !== null && { name }),
    ...(symbol !== null && { symbol }),
    ...(decimals !== null && { decimals: Number(decimals) }),
    ...(logoUri !== null && { logoUri }),
  };
}

/** The first 59 bits of the SHA-256 of everything that a frame without position says: equal for equal frames. */
export function digestOf(frame: ImportFrame): bigint {
  const digest = createHash('sha256').update(JSON.stringify(frame)).digest();
  return digest.readBigUInt64BE(0) >> 5n;
}

// Frames of a transaction stand together in a file, or nearly so; further apart than this they are not counted
// together, because a file of any length must be read in constant memory.
const TRANSACTIONS_REMEMBERED = 20_000;

/** Numbers equal frames of a transaction through a file, so that each of them is kept. */
export class FrameOrdinals {
  private readonly counts = new Map<string, Map<bigint, number>>();

  /** How many equal frames of the transaction came before this one. */
  next(txHash: string, digest: bigint): number {
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
