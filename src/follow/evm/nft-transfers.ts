import { addressIn, WORD } from '../../avalanche/abi.js';
import type { EvmLog, EvmReceipt } from '../../avalanche/codec/evm-receipt.js';
import { tokenEvents, tokenTopics } from '../../avalanche/evm-events.js';
import { nftTokenRows, type NftTokenLine } from '../../resources/nft/import.js';
import type { KindRows } from '../pipeline.js';

/** A token that a log says was transferred. */
export interface NftTransfer {
  /** Of its contract, 0x and 40 digits. */
  readonly address: string;
  readonly tokenId: bigint;
  /** Its owner now; undefined if it is burned, and for ERC-1155, whose tokens have many owners. */
  readonly owner: string | undefined;
}

/** The block and the transaction of a transfer. */
export interface TransferContext {
  readonly height: bigint;
  /** Unix seconds. */
  readonly time: number;
  readonly txHash: string;
}

/** Tokens that one log transferred; the last ones are not stored. */
export interface CutRange {
  readonly address: string;
  /** Ids: the whole range, and the last one that is stored; null for none. */
  readonly first: bigint;
  readonly last: bigint;
  readonly stored: bigint | null;
}

/** What the logs of a block say of tokens. */
export interface BlockTransfers {
  readonly transfers: readonly (NftTransfer & Pick<TransferContext, 'txHash'>)[];
  readonly cut: readonly CutRange[];
}

/**
 * Most tokens that are stored of the ranges of one block: a log of a few bytes may name 2^256 of them. The
 * libraries that mint so make 5,000 at a time.
 */
const MOST_OF_RANGES = 10_000n;

/**
 * Gas that a transaction uses at least for each token that is stored of its ranges, so that rows are not made
 * for less than they cost: the contract that mints 5,000 when it is deployed uses over a million.
 */
const GAS_OF_TOKEN = 200n;

/** The tokens that the receipts of a block say were transferred, in its order. */
export function nftTransfersIn(receipts: readonly EvmReceipt[]): BlockTransfers {
  const transfers: (NftTransfer & Pick<TransferContext, 'txHash'>)[] = [];
  const cut: CutRange[] = [];
  let [room, gasBefore] = [MOST_OF_RANGES, 0n];
  for (const { transactionHash: txHash, cumulativeGasUsed, logs } of receipts) {
    let ownRoom = (cumulativeGasUsed - gasBefore) / GAS_OF_TOKEN;
    gasBefore = cumulativeGasUsed;
    for (const log of logs) {
      const range = rangeOf(log);
      if (range === null) {
        for (const each of nftTransfersOf(log)) transfers.push({ ...each, txHash });
        continue;
      }
      const { address, first, last, owner } = range;
      const most = ownRoom < room ? ownRoom : room;
      const end = last - first < most ? last + 1n : first + most;
      for (let tokenId = first; tokenId < end; tokenId += 1n)
        transfers.push({ address, tokenId, owner, txHash });
      room -= end - first;
      ownRoom -= end - first;
      if (end <= last) cut.push({ address, first, last, stored: end === first ? null : end - 1n });
    }
  }
  return { transfers, cut };
}

/** The range of a log of ERC-2309; null for any other log. */
function rangeOf({ address, topics, data }: EvmLog) {
  if (topics[0] !== tokenTopics.consecutive || topics.length !== 4) return null;
  const [last, ...others] = wordsOf(data);
  const first = BigInt(topics[1]!);
  if (last === undefined || others.length > 0 || last < first) return null;
  return { address, first, last, owner: addressIn(topics[3]!) };
}

/** The tokens that a log names one by one: none for another log, also of the same topic in another shape. */
export function nftTransfersOf({ address, topics, data }: EvmLog): NftTransfer[] {
  // Each of these events has three indexed values: of ERC-20, Transfer has two.
  if (topics.length !== 4) return [];
  const words = wordsOf(data);
  switch (tokenEvents.get(topics[0]!)) {
    case 'transfer': {
      if (words.length > 0) return [];
      return [{ address, tokenId: BigInt(topics[3]!), owner: addressIn(topics[2]!) }];
    }
    case 'single':
      return words.length === 2 ? [{ address, tokenId: words[0]!, owner: undefined }] : [];
    case 'batch':
      return idsOf(words).map((tokenId) => ({ address, tokenId, owner: undefined }));
    // A range: see rangeOf.
    case 'consecutive':
    case undefined:
      return [];
  }
}

/** The words of the ABI; none of bytes that are not whole words. */
function wordsOf(data: string): bigint[] {
  const digits = data.slice(2);
  if (digits.length % WORD !== 0) return [];
  return Array.from({ length: digits.length / WORD }, (_, at) =>
    BigInt(`0x${digits.slice(at * WORD, (at + 1) * WORD)}`),
  );
}

/** The first of two lists of numbers in the ABI's form: its offset and, there, its length and its numbers. */
function idsOf(words: readonly bigint[]): bigint[] {
  const [offset = -1n] = words;
  const start = offset % 32n === 0n ? offset / 32n : -1n;
  if (start < 2n || start >= BigInt(words.length)) return [];
  const first = Number(start) + 1;
  const count = words[first - 1]!;
  return count <= BigInt(words.length - first) ? words.slice(first, first + Number(count)) : [];
}

/**
 * Rows of the tokens, as their newest transfer leaves them. A token that was moved several times is one row:
 * two of one transaction would be taken for one transfer.
 *
 * @param transfers in the order of the chain
 */
export function nftRows(evmChainId: bigint, transfers: readonly (NftTransfer & TransferContext)[]): KindRows {
  const newest = new Map<string, NftTokenLine>();
  for (const { address, tokenId, owner, height, time, txHash } of transfers)
    newest.set(`${address} ${tokenId}`, {
      evmChainId,
      address,
      tokenId,
      owner,
      lastTransferBlock: height,
      lastTransferTimestamp: time,
      lastTransferTxHash: txHash,
    });
  return { kind: nftTokenRows, scope: {}, rows: [...newest.values()] };
}
