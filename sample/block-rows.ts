import { chainName, type PrimaryChain } from '../src/avalanche/networks.js';
import type { BlockLine } from '../src/resources/block/import.js';
import type { TransactionLine } from '../src/resources/transaction/import-row.js';
import { blockHashOf } from './blocks.js';
import { sizeOf } from './vertices.js';
import { seededRandom, type Random } from './random.js';

const BASE_BYTES = 90;
/** Of each chain with whole blocks: empty ones among its newest. */
const NEWEST = 40;

/**
 * The blocks of a chain with the transactions of the sample, the decisions of their proposals, and empty ones
 * among the newest.
 *
 * @param proposers ids of nodes
 */
export function makeBlocks(
  chain: PrimaryChain,
  transactions: readonly TransactionLine[],
  proposers: readonly string[],
): BlockLine[] {
  const random = seededRandom(`${chainName(chain)} blocks`);
  const held = new Map<number, TransactionLine[]>();
  for (const transaction of transactions) {
    if (transaction.blockNumber === undefined) continue;
    const number = Number(transaction.blockNumber);
    held.set(number, [...(held.get(number) ?? []), transaction]);
  }
  const blocks = new Map<number, BlockLine>();
  const add = (
    number: number,
    timestamp: number,
    own: readonly TransactionLine[],
    type: BlockLine['blockType'],
  ) => blocks.set(number, blockOf({ chain, number, timestamp, random, proposers }, own, type));
  for (const [number, own] of held) {
    const timestamp = Number(own[0]?.blockTimestamp);
    const isProposal = own.some(({ txType }) => txType === 'RewardValidatorTx');
    add(number, timestamp, own, isProposal ? 'proposal' : 'standard');
    if (isProposal && !held.has(number + 1)) add(number + 1, timestamp, [], 'commit');
  }
  if (chain !== 'c') {
    const newest = Math.max(...blocks.keys());
    let timestamp = 0;
    for (let number = newest; number > newest - NEWEST; number--) {
      timestamp = Number(blocks.get(number)?.blockTimestamp ?? timestamp);
      if (!blocks.has(number)) add(number, timestamp, [], 'standard');
    }
  }
  return [...blocks.values()].sort((one, other) => Number(one.blockNumber) - Number(other.blockNumber));
}

interface Made {
  readonly chain: PrimaryChain;
  readonly number: number;
  readonly timestamp: number;
  readonly random: Random;
  readonly proposers: readonly string[];
}

function blockOf(
  { chain, number, timestamp, random, proposers }: Made,
  own: readonly TransactionLine[],
  blockType: BlockLine['blockType'],
): BlockLine {
  const row = {
    blockNumber: number.toString(),
    blockHash: blockHashOf(chain, number),
    parentHash: blockHashOf(chain, number - 1),
    blockTimestamp: timestamp,
    txCount: own.length,
  };
  if (chain === 'c') return row;
  const size = own.reduce((sum, transaction) => sum + sizeOf(transaction), BASE_BYTES);
  // Nobody signs a decision.
  const signed = blockType === 'commit' ? {} : { proposerNodeId: random.pick(proposers) };
  return { ...row, blockType, blockSizeBytes: size, ...signed };
}
