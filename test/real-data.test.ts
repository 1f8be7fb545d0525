import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from './harness/app.js';
import { hasRealData, importRowsOrReject, readRealData, realData } from './harness/seed.js';
import { walkGraphQL, walkRest } from './harness/walk.js';

interface Utxo {
  utxoId: string;
  amount: string;
  blockNumber: string;
  blockTimestamp: number;
  txHash: string;
}

type FileRow = Utxo & Record<string, unknown>;

const pChain = '11111111111111111111111111111111LpoYY';

const orders = [
  ['timestamp', 'desc'],
  ['timestamp', 'asc'],
  ['amount', 'desc'],
  ['amount', 'asc'],
] as const;

const utxos = '/v1/networks/mainnet/blockchains/p-chain/utxos';

describe.skipIf(!hasRealData)('real mainnet data', () => {
  let gateway: TestApp;
  let files: string[];
  let onFile: FileRow[];
  beforeAll(async () => {
    gateway = await createApp();
    files = readdirSync(realData).filter((file) =>
      /^mainnet\.[pxc]-chain\.(utxos|transactions)\./.test(file),
    );
    let rejected = 0;
    for (const file of files) {
      const name = file.replace(/\.ndjson(\.gz)?$/, '');
      rejected += (await importRowsOrReject(gateway.storage, name, await readRealData<object>(file))).length;
    }
    expect(rejected).toBe(15);
    onFile = await outputsOnFile();
  });
  afterAll(() => gateway?.close());

  /** The outputs of the P-chain's list, from the files, spent or not; each once. */
  async function outputsOnFile(): Promise<FileRow[]> {
    const found = new Map<string, FileRow>();
    for (const file of files.filter((each) => each.includes(`.utxos.`))) {
      for (const row of await readRealData<FileRow>(file)) {
        if (row['createdOnChainId'] === pChain || row['consumedOnChainId'] === pChain)
          found.set(row.utxoId, row);
      }
    }
    return [...found.values()];
  }

  const walks = [
    ...orders.flatMap(([sort, order]) => [true, false].map((spent) => [100, sort, order, spent] as const)),
    // Twice as many pages: one walk of either sort.
    [53, 'timestamp', 'desc', true] as const,
    [53, 'amount', 'asc', false] as const,
  ];
  test.each(walks)(
    'every page of the P-chain at %i per page by %s %s, includeSpent %s, gives each output once and in order',
    async (pageSize, sortBy, sortOrder, includeSpent) => {
      const path = `${utxos}?sortBy=${sortBy}&sortOrder=${sortOrder}&includeSpent=${includeSpent}`;
      const rows = (await walkRest(gateway, path, 'utxos', pageSize)) as unknown as Utxo[];
      const expected = onFile.filter((row) => includeSpent || row['consumingTxHash'] === undefined);
      expect(new Set(rows.map((row) => row.utxoId)).size).toBe(rows.length);
      expect(rows.length).toBe(expected.length);
      // Worked out once for each row, not for each comparison.
      const keyed = expected.map(({ utxoId, amount, blockTimestamp }) => ({
        ...{ utxoId, key: sortBy === 'amount' ? BigInt(amount) : BigInt(blockTimestamp ?? 0) },
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
    const rows = (await walkRest(gateway, `${utxos}?includeSpent=true`, 'utxos', 100)) as unknown as Utxo[];
    const genesis = rows.filter((row) => row.blockNumber === '0' && row.blockTimestamp === 1599696000);
    expect(genesis.length).toBe(34_479);
    expect(genesis.reduce((sum, row) => sum + BigInt(row.amount), 0n)).toBe(335490228411755492n);

    const avax = 'FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z';
    const path = '/v1/networks/mainnet/blockchains/x-chain/utxos?includeSpent=true';
    const onX = (await walkRest(gateway, path, 'utxos', 100)) as unknown as Utxo[];
    const created = onX.filter((row) => row.txHash === avax);
    expect(created.reduce((sum, row) => sum + BigInt(row.amount), 0n)).toBe(24509771588234718n);
  });

  test('GraphQL gives the same sequence forward and backward', async () => {
    const rest = await walkRest(gateway, `${utxos}?includeSpent=true`, 'utxos', 100);
    const expected = rest.map((row) => row['utxoId']);
    const field = 'utxos(network: mainnet, blockchainId: "p-chain", includeSpent: true';
    for (const direction of ['forward', 'backward'] as const) {
      const rows = await walkGraphQL(gateway, field, 'utxoId', 100, direction);
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
