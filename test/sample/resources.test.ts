import { getAddress } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import { examples } from '../../sample/examples.js';
import { recognise } from '../../src/ingest/source-file.js';
import { fileKinds } from '../../src/resources.js';
import type { InternalTxLine } from '../../src/resources/internal-tx/import-row.js';
import type { BlockLine } from '../../src/resources/block/import.js';
import type { VertexLine } from '../../src/resources/vertex/import.js';
import { readSample } from '../harness/sample.js';

const { files, rowsOf, transactionsOf } = readSample();
const vertices = rowsOf<VertexLine>('fuji.x-chain.vertices');
const internalTxs = rowsOf<InternalTxLine>('evm.43113.internal-transactions');

const chains = rowsOf<{ subnetId: string }>('evm.chains');

describe('vertices of the sample', () => {
  test('are at least 500 and hold every X-chain transaction without a block, some of them twice', () => {
    const blockless = transactionsOf('x').filter((row) => row.blockNumber === undefined);
    const held = vertices.flatMap((row) => row.transactions);
    expect(vertices.length).toBeGreaterThanOrEqual(500);
    expect(new Set(held)).toEqual(new Set(blockless.map((row) => row.txHash)));
    expect(held.length).toBeGreaterThan(new Set(held).size);
    for (const row of vertices) expect(row.txCount).toBe(row.transactions.length);
  });

  test('name parents that came before, with one below all', () => {
    const seen = new Map<string, VertexLine>();
    for (const row of vertices) {
      const parents = row.parentHashes.map((hash) => seen.get(hash));
      for (const parent of parents) {
        expect(parent?.vertexHeight).toBeLessThan(row.vertexHeight);
        expect(parent?.vertexTimestamp).toBeLessThanOrEqual(row.vertexTimestamp);
      }
      expect(parents.length > 0).toBe(seen.size > 0);
      seen.set(row.vertexHash, row);
    }
    expect(seen.size).toBe(vertices.length);
  });
});

describe.each(['p', 'x', 'c'] as const)('blocks of the sample’s chain %s', (chain) => {
  const blocks = rowsOf<BlockLine>(`fuji.${chain}-chain.blocks`);

  test('are those of its transactions, and others without any, of times that rise with their numbers', () => {
    const counts = new Map<string, number>();
    for (const { blockNumber } of transactionsOf(chain))
      if (blockNumber) counts.set(blockNumber, (counts.get(blockNumber) ?? 0) + 1);
    for (const { blockNumber, txCount } of blocks) expect(txCount).toBe(counts.get(blockNumber) ?? 0);
    const stored = new Set(blocks.map(({ blockNumber }) => blockNumber));
    expect([...counts.keys()].filter((number) => !stored.has(number))).toEqual([]);
    expect(stored.size > counts.size).toBe(chain !== 'c');
    expect(stored.size).toBe(blocks.length);
    const times = blocks.map(({ blockTimestamp }) => Number(blockTimestamp));
    expect(times).toEqual(times.toSorted((one, other) => one - other));
  });

  test('name the one before them as their parent', () => {
    const hashes = new Map(blocks.map(({ blockNumber, blockHash }) => [Number(blockNumber), blockHash]));
    const known = blocks.filter(({ blockNumber }) => hashes.has(Number(blockNumber) - 1));
    for (const { blockNumber, parentHash } of known)
      expect(parentHash).toBe(hashes.get(Number(blockNumber) - 1));
    if (chain !== 'c') expect(known.length).toBeGreaterThan(30);
  });
});

describe('internal transactions of the sample', () => {
  test('are of every kind that is stored, and calls move value', () => {
    expect(new Set(internalTxs.map((row) => row.internalTxType))).toEqual(
      new Set(['CALL', 'CALLCODE', 'CREATE', 'CREATE2', 'CREATE3']),
    );
    for (const row of internalTxs.filter(({ internalTxType }) => internalTxType.startsWith('CALL')))
      expect(BigInt(row.value)).toBeGreaterThan(0n);
    expect(internalTxs.some((row) => row.isReverted)).toBe(true);
  });

  test('hold frames that nothing but their order tells apart', () => {
    expect(new Set(internalTxs.map((row) => JSON.stringify(row))).size).toBeLessThan(internalTxs.length);
  });

  test('write addresses in checksum form', () => {
    for (const { address } of internalTxs.flatMap(({ from, to }) => [from, to]))
      expect(getAddress(address)).toBe(address);
  });

  test('are in blocks that rise, each with one hash and one time', () => {
    const blocks = new Map<string, string>();
    for (const [index, { blockNumber, blockHash, blockTimestamp }] of internalTxs.entries()) {
      expect(blocks.get(blockNumber) ?? blockHash).toBe(blockHash);
      blocks.set(blockNumber, blockHash);
      expect(blockTimestamp).toBeGreaterThanOrEqual(internalTxs[index - 1]?.blockTimestamp ?? 0);
    }
  });
});

interface Holding {
  date: string;
  address: string;
  contractAddress: string;
  balance: string;
  tokenCount: number;
}

describe('balances and holdings of the sample', () => {
  test.each(['native-balances', 'erc20-balances', 'nft-holdings'])(
    '%s have a row only where something changed',
    (kind) => {
      const latest = new Map<string, Holding>();
      for (const row of rowsOf<Holding>(`evm.43113.${kind}`)) {
        const key = `${row.contractAddress} ${row.address}`;
        const before = latest.get(key);
        if (before) {
          expect(before.date < row.date).toBe(true);
          expect([before.balance, before.tokenCount]).not.toEqual([row.balance, row.tokenCount]);
        }
        latest.set(key, row);
      }
      expect(latest.size).toBeGreaterThan(80);
    },
  );

  test('count for each holder the tokens that the last transfers left there', () => {
    const owned = new Map<string, number>();
    const tokens = rowsOf<{ address: string; owner?: string }>('evm.nft-tokens');
    for (const { address, owner } of tokens)
      if (owner !== undefined) owned.set(`${address} ${owner}`, (owned.get(`${address} ${owner}`) ?? 0) + 1);
    const counted = new Map<string, number>();
    for (const { contractAddress, address, tokenCount } of rowsOf<Holding>('evm.43113.nft-holdings'))
      counted.set(`${contractAddress} ${address}`, tokenCount);
    expect(new Map([...counted].filter(([, count]) => count > 0).sort())).toEqual(new Map([...owned].sort()));
  });

  test('answer the example query with somebody', () => {
    const natives = rowsOf<Holding>('evm.43113.native-balances');
    const minimum = BigInt(examples.minBalance);
    const rich = new Set(natives.filter((row) => row.date === examples.firstDate).map((row) => row.address));
    for (const row of natives) if (BigInt(row.balance) < minimum) rich.delete(row.address);
    const holders = rowsOf<Holding>('evm.43113.nft-holdings').filter(
      (row) => row.contractAddress === examples.nftCollection && row.tokenCount > 0,
    );
    expect(holders.filter((row) => rich.has(row.address)).length).toBeGreaterThan(3);
  });
});

describe('subnet metrics of the sample', () => {
  interface Point {
    subnetId: string;
    metric: string;
    timestamp: number;
    value: string;
  }
  const points = rowsOf<Point>('fuji.subnet-metrics');

  test('are of the L1s, at midnight, and some pass 2^53', () => {
    expect(new Set(points.map((row) => row.subnetId))).toEqual(
      new Set(chains.slice(2).map((row) => row.subnetId)),
    );
    for (const { timestamp } of points) expect(timestamp % 86_400).toBe(0);
    expect(points.some((row) => BigInt(row.value) > 2n ** 53n)).toBe(true);
    for (const { value } of points) expect(BigInt(value)).toBeGreaterThan(0n);
  });

  test('have a cumulative series that is the running total of the daily one', () => {
    const series = (subnetId: string, metric: string) =>
      points.filter((row) => row.subnetId === subnetId && row.metric === metric);
    for (const subnetId of new Set(points.map((row) => row.subnetId))) {
      let total = 0n;
      const cumulative = series(subnetId, 'perSubnetCumulativeFeesPaid');
      for (const [index, row] of series(subnetId, 'perSubnetDailyFeesPaid').entries()) {
        total += BigInt(row.value);
        expect([cumulative[index]?.timestamp, cumulative[index]?.value]).toEqual([
          row.timestamp,
          total.toString(),
        ]);
      }
      expect(series(subnetId, 'perSubnetPayingValidators').length).toBe(cumulative.length);
    }
  });
});

test('every file is named as the importer expects', () => {
  expect(files.size).toBeGreaterThan(10);
  const refused = [...files.keys()].filter((name) => {
    try {
      return !recognise(name, {}, fileKinds);
    } catch {
      return true;
    }
  });
  expect(refused).toEqual([]);
});
