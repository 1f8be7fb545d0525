import { readFileSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blockchainIds } from '../../src/avalanche/networks.js';
import { compositeBodyExample } from '../../src/resources/composite-query/request-body.js';
import { createApp, type TestApp } from '../harness/app.js';
import { postComposite } from '../harness/composite.js';
import { dumpAll, exportPlace, runExport } from '../harness/export.js';
import { runImport } from '../harness/ingest.js';
import { idOf, transactionRow, utxoRow } from '../harness/ledger-rows.js';
import { readLists, restPaths } from '../harness/rest-lists.js';
import { hasRealData, importRows, realData } from '../harness/seed.js';
import { poolOf } from '../harness/connections.js';

const files = exportPlace();
afterAll(() => files.drop());

const contents = (name: string) =>
  Object.fromEntries(files.list(name).map((path) => [basename(path), readFileSync(path).toString('latin1')]));

/** What only some rows have, or what a reply hides: each of it must survive. */
async function seedCorners({ storage }: TestApp): Promise<void> {
  const { x } = blockchainIds.mainnet;
  const asset = { assetId: idOf('coin'), name: 'New "name"\\', symbol: 'NEW', denomination: 3, type: 'nft' };
  const staked = utxoRow('staked', { staked: true, consumingTxHash: idOf('ender'), utxoType: 'STAKE' });
  const later = utxoRow('later', { consumingTxHash: idOf('taker') });
  const taken = utxoRow('taken', {
    ...{ createdOnChainId: x, consumedOnChainId: x, asset, assetId: asset.assetId, amount: '5' },
  });
  await importRows(storage, 'mainnet.x-chain.utxos', [taken]);
  await importRows(storage, 'mainnet.p-chain.utxos', [utxoRow('unknown block'), staked, later]);
  const old = { ...asset, name: 'Old name', amount: '5' };
  await importRows(storage, 'mainnet.p-chain.transactions', [
    transactionRow('taker', { consumedUtxos: [utxoRow('spent')], blockNumber: '7', memo: '0x00\n\t"\\é' }),
    // The same once more by one who knows less, and another output: of this one the consumer's block stays unknown.
    transactionRow('taker', { consumedUtxos: [utxoRow('spent'), later] }),
    transactionRow('ender', {
      txType: 'FromTheFutureTx',
      emittedUtxos: [staked, utxoRow('reward', { txHash: idOf('another'), rewardType: 'VALIDATOR' })],
      value: [old, { ...old, assetId: idOf('named in passing') }],
      startTimestamp: 18446744073709551615n,
    }),
  ]);
  await importRows(storage, 'mainnet.x-chain.utxos', [taken]);
  const frame = {
    ...{
      txHash: `0x${'ab'.repeat(32)}`,
      blockNumber: '1',
      blockTimestamp: 2,
      blockHash: `0x${'cd'.repeat(32)}`,
    },
    ...{ internalTxType: 'CALL', value: '1', isReverted: false, gasUsed: '3', gasLimit: '4' },
    from: { address: `0x${'11'.repeat(20)}`, name: 'A', decimals: 0 },
    to: { address: `0x${'22'.repeat(20)}` },
  };
  await importRows(storage, 'evm.43114.internal-transactions', [frame, frame, { ...frame, position: 4 }]);
  await importRows(storage, 'evm.43114.nft-holdings', [
    { address: addressOfEvm, contractAddress: `0x${'33'.repeat(20)}`, date: '2026-01-02', tokenCount: 9 },
    { address: addressOfEvm, contractAddress: `0x${'33'.repeat(20)}`, date: '2026-01-05', tokenCount: '9' },
  ]);
  await poolOf(storage).query(
    `UPDATE nft_token SET metadata_status = 'done', standard = 'ERC-721', metadata_address = 'ipfs://x',
       name = E'Lantern "1"\\n', attributes = '[{"traitType": "a", "value": null, "displayType": null}]',
       raw_metadata = E'{"b": 1, "a": "\\\\u0000"}\\n', fetched_at = '2026-01-02T03:04:05.678Z'
     WHERE token_id % 5 = 1`,
  );
  await poolOf(storage).query(
    `UPDATE nft_token SET metadata_status = 'failed', failure_reason = 'it does not answer' WHERE token_id % 5 = 2`,
  );
}

const addressOfEvm = `0x${'44'.repeat(20)}`;

const nftMetadata = `{ nftTokens(chainId: "43113", address: "ADDRESS", first: 50) { nodes { tokenId owner
  metadataStatus failureReason metadata { standard name attributes { traitType value } raw fetchedAt } } } }`;

async function nftsOf(gateway: TestApp): Promise<unknown> {
  const { rows } = await poolOf(gateway.storage).query<{ address: string }>(
    `SELECT DISTINCT '0x' || encode(address, 'hex') AS address FROM nft_token WHERE evm_chain_id = 43113 ORDER BY 1`,
  );
  expect(rows.length).toBeGreaterThan(0);
  const replies = [];
  for (const { address } of rows) {
    const query = nftMetadata.replace('ADDRESS', address);
    replies.push(await gateway.graphql(query));
  }
  return replies;
}

async function moved(old: TestApp, name: string, packed: boolean): Promise<TestApp> {
  const { files: written } = await runExport(old.storage, files.path(name), { packed });
  expect(written.sort()).toEqual(readdirSync(files.path(name)).sort());
  const fresh = await createApp({ MAX_COST: '1000000' });
  const { rejected, leftOut, lines } = await runImport(fresh.storage, files.list(name));
  expect({ rejected, leftOut, lines }).toEqual({ rejected: 0, leftOut: 0, lines: [] });
  return fresh;
}

describe('the sample with every corner that rows have', () => {
  let old: TestApp;
  let fresh: TestApp;
  beforeAll(async () => {
    old = await createApp({ MAX_COST: '1000000' }, { sample: true });
    await seedCorners(old);
    fresh = await moved(old, 'sample', true);
  });
  afterAll(async () => {
    await old.close();
    await fresh?.close();
  });

  test('is in the other database row by row, with what is worked out from it', async () => {
    expect(await dumpAll(fresh.storage)).toEqual(await dumpAll(old.storage));
  });

  test('is answered alike by every REST list and object, page by page', async () => {
    const paths = await restPaths(old);
    expect(paths.lists.length).toBeGreaterThan(40);
    expect(paths.objects.length).toBeGreaterThan(500);
    expect(await readLists(fresh, paths)).toEqual(await readLists(old, paths));
  });

  test('finds the same addresses by a composite query, in an order of its own', async () => {
    const walk = async (gateway: TestApp) => {
      const pages = [];
      for (let pageToken: string | undefined = ''; pageToken !== undefined;) {
        const { body } = await postComposite(gateway, { ...compositeBodyExample, pageSize: 7, pageToken });
        pages.push(body);
        pageToken = body.nextPageToken;
      }
      const { totalCount, subQueryCounts } = pages[0] ?? {};
      return { totalCount, subQueryCounts, addresses: pages.flatMap(({ addresses }) => addresses).sort() };
    };
    const before = await walk(old);
    expect(before.addresses.length).toBeGreaterThan(7);
    expect(new Set(before.addresses).size).toBe(before.totalCount);
    expect(await walk(fresh)).toEqual(before);
  });

  test('keeps what was read of metadata', async () => {
    const before = await nftsOf(old);
    expect(JSON.stringify(before)).toContain('Lantern');
    expect(await nftsOf(fresh)).toEqual(before);
  });

  test('makes the same files again, byte by byte', async () => {
    await runExport(old.storage, files.path('plain'));
    await runExport(fresh.storage, files.path('again'));
    expect(contents('again')).toEqual(contents('plain'));
  });

  test('changes nothing where it is imported again', async () => {
    const { written } = await runImport(fresh.storage, files.list('sample'));
    expect(written).toBe(0);
  });

  test('imports in any order of files', async () => {
    const other = await createApp();
    try {
      await runImport(other.storage, files.list('sample').reverse());
      expect(await dumpAll(other.storage)).toEqual(await dumpAll(old.storage));
    } finally {
      await other.close();
    }
  });
});

describe.skipIf(!hasRealData)('real mainnet data', () => {
  test('is in the other database row by row, and makes the same files again', async () => {
    const old = await createApp();
    let fresh: TestApp | undefined;
    try {
      // Of the two files with a whole history of one list the other tests have enough.
      const given = readdirSync(realData).filter(
        (file) =>
          /\.(utxos|transactions|vertices|messages|chains)\./.test(file) &&
          !file.includes('p-chain.utxos.ndjson'),
      );
      await runImport(
        old.storage,
        given.map((file) => new URL(file, realData).pathname),
      );
      fresh = await moved(old, 'real', true);
      expect(await dumpAll(fresh.storage)).toEqual(await dumpAll(old.storage));
      await runExport(fresh.storage, files.path('real again'), { packed: true });
      expect(contents('real again')).toEqual(contents('real'));
    } finally {
      await old.close();
      await fresh?.close();
    }
  });
});
