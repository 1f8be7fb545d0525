import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blockchainIds } from '../src/avalanche/networks.js';
import { createApp, type TestApp } from './harness/app.js';
import { realFilling, realLedger } from './harness/real-data.js';
import { hasRealData, readRealData, realData } from './harness/seed.js';
import { walkGraphQL, walkRest } from './harness/walk.js';

interface Utxo {
  utxoId: string;
  amount: string;
  blockNumber: string;
  blockTimestamp: number;
  txHash: string;
}

type FileRow = Utxo & Record<string, unknown>;

const orders = [
  ['timestamp', 'desc'],
  ['timestamp', 'asc'],
  ['amount', 'desc'],
  ['amount', 'asc'],
] as const;

const chains = { 'P-chain': blockchainIds.mainnet.p, 'X-chain': blockchainIds.mainnet.x };
const listOf = (chain: keyof typeof chains) =>
  `/v1/networks/mainnet/blockchains/${chain.toLowerCase()}/utxos`;
const utxos = listOf('P-chain');

describe.skipIf(!hasRealData)('real mainnet data', () => {
  let gateway: TestApp;
  let files: string[];
  let rows: FileRow[];
  let onFile: FileRow[];
  beforeAll(async () => {
    gateway = await createApp({}, { filling: realFilling });
    files = readdirSync(realData).filter((file) =>
      Object.values(realLedger).some((pattern) => pattern.test(file)),
    );
    const read = files.filter((file) => file.includes('.utxos.')).map((file) => readRealData<FileRow>(file));
    rows = (await Promise.all(read)).flat();
    onFile = outputsOnFile('P-chain');
  });
  afterAll(() => gateway?.close());

  /** The outputs of a chain's list, from the files, spent or not; each once. */
  function outputsOnFile(chain: keyof typeof chains): FileRow[] {
    const ofChain = rows.filter(
      (row) => row['createdOnChainId'] === chains[chain] || row['consumedOnChainId'] === chains[chain],
    );
    return [...new Map(ofChain.map((row) => [row.utxoId, row])).values()];
  }

  let walked: Promise<Utxo[]> | undefined;
  /** The P-chain's list in its default order. */
  const walkAll = () =>
    (walked ??= walkRest(gateway, `${utxos}?includeSpent=true`, 'utxos', 100) as Promise<unknown> as Promise<
      Utxo[]
    >);

  const walks = [
    ...orders.flatMap(([sort, order]) =>
      [true, false].map((spent) => ['P-chain', 100, sort, order, spent] as const),
    ),
    // Pages of another size: one iteration of either sort, of the shorter list.
    ['X-chain', 53, 'timestamp', 'desc', true] as const,
    ['X-chain', 53, 'amount', 'asc', false] as const,
  ];
  test.each(walks)(
    'every page of the %s at %i per page by %s %s, includeSpent %s, gives each output once and in order',
    async (chain, pageSize, sortBy, sortOrder, includeSpent) => {
      const path = `${listOf(chain)}?sortBy=${sortBy}&sortOrder=${sortOrder}&includeSpent=${includeSpent}`;
      const rows = (await walkRest(gateway, path, 'utxos', pageSize)) as unknown as Utxo[];
      const expected = outputsOnFile(chain).filter(
        (row) => includeSpent || row['consumingTxHash'] === undefined,
      );
      expect(rows.length).toBeGreaterThan(4000);
      expect(new Set(rows.map((row) => row.utxoId)).size).toBe(rows.length);
      expect(rows.length).toBe(expected.length);
      // Calculated once for each row, not for each comparison.
      const keyed = expected.map(({ utxoId, amount, blockTimestamp }) => ({
        utxoId,
        key: sortBy === 'amount' ? BigInt(amount) : BigInt(blockTimestamp ?? 0),
      }));
      type Keyed = (typeof keyed)[number];
      const compare = (a: Keyed, b: Keyed) =>
        a.key < b.key ? -1 : a.key > b.key ? 1 : a.utxoId < b.utxoId ? -1 : 1;
      const sign = sortOrder === 'asc' ? 1 : -1;
      const sorted = keyed.sort((a, b) => sign * compare(a, b)).map((row) => row.utxoId);
      expect(rows.map((row) => row.utxoId)).toEqual(sorted);
    },
  );

  test.each([1, 2, 64])('the list of %i addresses equals a naive filter over the files', async (count) => {
    const owners = [...new Set(onFile.flatMap((row) => row['addresses'] as string[]))].sort();
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.constantFrom(...owners), { minLength: count, maxLength: count }),
        fc.constantFrom(...orders),
        fc.boolean(),
        fc.bigInt({ min: 0n, max: 10n ** 14n }),
        fc.integer({ min: 5, max: 100 }),
        async (addresses, [sortBy, sortOrder], includeSpent, minimum, pageSize) => {
          const expected = onFile
            .filter((row) => (row['addresses'] as string[]).some((address) => addresses.includes(address)))
            .filter((row) => includeSpent || row['consumingTxHash'] === undefined)
            .filter((row) => BigInt(row.amount) >= minimum)
            .map((row) => row.utxoId);
          const filters = `sortBy=${sortBy}&sortOrder=${sortOrder}&includeSpent=${includeSpent}&minUtxoAmount=${minimum}`;
          const rows = await walkRest(
            gateway,
            `${utxos}?addresses=${addresses.join('%2C')}&${filters}`,
            'utxos',
            pageSize,
          );
          expect(rows.map((row) => row['utxoId']).sort()).toEqual(expected.sort());
        },
      ),
      { numRuns: 15 },
    );
  });

  test('the genesis outputs sum to the published supply', async () => {
    const genesis = (await walkAll()).filter(
      (row) => row.blockNumber === '0' && row.blockTimestamp === 1599696000,
    );
    expect(genesis.length).toBe(34_479);
    expect(genesis.reduce((sum, row) => sum + BigInt(row.amount), 0n)).toBe(335490228411755492n);

    const avax = 'FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z';
    const path = `${listOf('X-chain')}?includeSpent=true`;
    const onX = (await walkRest(gateway, path, 'utxos', 100)) as unknown as Utxo[];
    const created = onX.filter((row) => row.txHash === avax);
    expect(created.reduce((sum, row) => sum + BigInt(row.amount), 0n)).toBe(24509771588234718n);
  });

  test('GraphQL gives the same sequence forward and backward', async () => {
    const expected = (await walkAll()).map((row) => row.utxoId);
    const field = 'utxos(network: mainnet, blockchainId: "p-chain", includeSpent: true';
    for (const direction of ['forward', 'backward'] as const) {
      const rows = await walkGraphQL(gateway, field, 'utxoId', 100, direction, 'in variables');
      expect(rows.map((row) => row['utxoId'])).toEqual(expected);
    }
  });

  test('every stored transaction is returned as its file has it, with its arrays complete', async () => {
    for (const file of files.filter((each) => each.includes('.transactions.') && !each.includes('partial'))) {
      const chain = /\.([pxc]-chain)\./.exec(file)?.[1];
      for (const row of await readRealData<Record<string, unknown>>(file)) {
        const path = `/v1/networks/mainnet/blockchains/${chain}/transactions/${String(row['txHash'])}`;
        const { status, body } = await gateway.get(path);
        expect(status).toBe(200);
        expect(body).toEqual(asReplied(row));
      }
    }
  });
});

/** A transaction of a file after the contract's rules: unknown blocks as REST clients need them. */
function asReplied(row: Record<string, unknown>): Record<string, unknown> {
  const utxo = (each: unknown) => ({ blockNumber: '0', blockTimestamp: 0, ...(each as object) });
  return {
    blockNumber: '0',
    blockHash: '',
    ...row,
    consumedUtxos: (row['consumedUtxos'] as unknown[]).map(utxo),
    emittedUtxos: (row['emittedUtxos'] as unknown[]).map(utxo),
  };
}
