import { blockchainIds, nativeAsset, nativeAssetIds } from '../../src/avalanche/networks.js';
import { nodeIdOf } from '../../sample/ids.js';
import { addressOf, idOf, transactionRow, utxoRow, withBytes } from '../../test/harness/ledger-rows.js';
import { Random } from '../../test/harness/random.js';
import { counts } from './counts.js';

const FIRST_SECOND = 1_600_000_000;
/**
 * Over which the rows are spread, whatever their number: days of an address are then as many as its
 * transactions.
 */
const SECONDS = 5 * 365 * 86_400;
const SUBNETS = 200;
const NODES = 5_000;
/**
 * A reward emits one output and consumes none; the rest make up for it, so that all together are as many as
 * counted.
 */
const REWARDS = 0.1;
const ratio = (what: 'utxo' | 'transaction_input' | 'address') => counts[what].rows / counts.transaction.rows;
const OUTPUTS = (ratio('utxo') - REWARDS) / (1 - REWARDS);
const INPUTS = ratio('transaction_input') / (1 - REWARDS);

type Row = ReturnType<typeof utxoRow>;

/**
 * Transactions of mainnet's P-chain: outputs, inputs and addresses a transaction as counted (counts.ts);
 * three in ten stake for a node, one in ten rewards a stake, one in twenty sets an L1 validator's weight.
 */
export function* makeTransactions(count: number): Generator<object> {
  const random = new Random(14);
  const addresses = Array.from({ length: Math.ceil(count * ratio('address')) }, (_, index) =>
    addressOf(`owner ${index}`),
  );
  const unspent: Row[] = [];
  const stakes: string[] = [];
  const wholeOf = (average: number) => Math.floor(average) + Number(random.chance(average % 1));
  for (let number = 0; number < count; number += 1) {
    const index = number % 10;
    const isReward = index === 9;
    const block = blockOf(number, count);
    const txHash = idOf(`transaction ${number}`);
    const emittedUtxos = Array.from({ length: isReward ? 1 : wholeOf(OUTPUTS) }, (_, outputIndex) =>
      outputRow({ ...block, txHash, outputIndex, random, addresses }),
    );
    const wanted = isReward ? 0 : Math.min(wholeOf(INPUTS), unspent.length);
    const consumedUtxos = Array.from({ length: wanted }, () => take(unspent, random));
    unspent.push(...emittedUtxos);
    if (index < 3) stakes.push(txHash);
    const named = isReward ? { stakingTxHash: random.one(stakes) } : namesAt(number, block, random);
    yield transactionRow(`transaction ${number}`, {
      ...block,
      blockHash: idOf(`block ${number}`),
      txType: typeAt(number),
      memo: '0x',
      value: [amountOf(random)],
      amountBurned: [amountOf(random)],
      amountStaked: index < 3 ? [amountOf(random)] : [],
      amountL1ValidatorBalanceBurned: [],
      ...named,
      emittedUtxos,
      consumedUtxos,
    });
  }
}

/** The blocks of these transactions, and so many others. */
export function* makeBlocks(count: number): Generator<object> {
  const random = new Random(84);
  const nodes = Array.from({ length: NODES }, (_, index) => nodeIdOf(`node ${index}`));
  for (let number = 0; number < count; number += 1) {
    const { blockNumber, blockTimestamp } = blockOf(number, count);
    yield {
      blockNumber,
      blockHash: idOf(`block ${number}`),
      parentHash: idOf(`parent ${number}`),
      blockType: 'standard',
      blockTimestamp,
      blockSizeBytes: 400 + (number % 900),
      txCount: 1,
      proposerNodeId: random.one(nodes),
    };
  }
}

/** Vertices of mainnet's X-chain, each with one transaction and one parent or two. */
export function* makeVertices(count: number): Generator<object> {
  for (let number = 0; number < count; number += 1) {
    const parents = [number - 1, ...(number % 3 === 0 ? [number - 2] : [])];
    yield {
      vertexHash: idOf(`vertex ${number}`),
      vertexHeight: number,
      vertexIndex: 0,
      txCount: 1,
      parentHashes: parents.map((parent) => idOf(`vertex ${parent}`)),
      vertexTimestamp: FIRST_SECOND + number,
      transactions: [idOf(`x ${number}`)],
      vertexSizeBytes: 425,
    };
  }
}

/** Daily fees and paying validators of the subnets that transactions name. */
export function* makeMetrics(count: number): Generator<object> {
  for (let number = 0; number < count; number += 1) {
    const day = Math.floor(FIRST_SECOND / 86_400) + Math.floor(number / 2 / SUBNETS);
    yield {
      subnetId: subnetAt(number >> 1),
      metric: number % 2 === 0 ? 'perSubnetDailyFeesPaid' : 'perSubnetPayingValidators',
      timestamp: day * 86_400,
      value: number % 2 === 0 ? String(44_236_800 * (3 + (number % 7))) : '5',
    };
  }
}

const subnetAt = (number: number) => idOf(`subnet ${number % SUBNETS}`);
const isOfL1 = (number: number) => number % 20 === 5;

function typeAt(number: number): string {
  if (number % 10 < 3) return 'AddPermissionlessDelegatorTx';
  if (number % 10 === 9) return 'RewardValidatorTx';
  return isOfL1(number) ? 'SetL1ValidatorWeightTx' : 'BaseTx';
}

/** The subnet, node and L1 validator that a transaction names: what tables are derived from. */
function namesAt(number: number, { blockTimestamp }: { blockTimestamp: number }, random: Random): object {
  const nodeId = nodeIdOf(`validator ${random.below(NODES)}`);
  if (number % 10 < 3)
    return {
      nodeId,
      subnetId: number % 5 === 0 ? subnetAt(random.below(SUBNETS)) : blockchainIds.mainnet.p,
      startTimestamp: blockTimestamp,
      endTimestamp: blockTimestamp + 1_209_600,
      rewardAddresses: [addressOf(`owner ${random.below(1000)}`)],
    };
  if (!isOfL1(number)) return {};
  const validation = random.below(NODES);
  return {
    l1ValidatorDetails: [
      {
        validationId: idOf(`validation ${validation}`),
        nodeId,
        subnetId: subnetAt(validation),
        weight: 100,
        remainingBalance: 5_000_000_000,
        balanceChange: 0,
      },
    ],
  };
}

const blockOf = (number: number, count: number) => ({
  blockTimestamp: FIRST_SECOND + Math.floor((number / count) * SECONDS),
  blockNumber: String(number),
});

function amountOf(random: Random): object {
  return { assetId: nativeAssetIds.mainnet, ...nativeAsset, amount: String(1 + random.below(1e12)) };
}

interface Output extends ReturnType<typeof blockOf> {
  txHash: string;
  outputIndex: number;
  random: Random;
  addresses: readonly string[];
}

/** Most of few owners, one in ten of two. */
function outputRow({ random, addresses, ...position }: Output): Row {
  const asset = amountOf(random) as { assetId: string; amount: string };
  const owner = () => addresses[Math.floor(addresses.length * random.next() ** 2)] ?? '';
  const row = utxoRow(`output ${position.outputIndex} of ${position.txHash}`, {
    ...position,
    asset,
    amount: asset.amount,
    threshold: 1,
    platformLocktime: 0,
    staked: false,
    addresses: random.chance(0.1) ? [...new Set([owner(), owner()])] : [owner()],
  });
  return withBytes(row);
}

function take(rows: Row[], random: Random): Row {
  const index = random.below(rows.length);
  const [row, last] = [rows[index], rows.pop()] as [Row, Row];
  if (row !== last) rows[index] = last;
  return row;
}
