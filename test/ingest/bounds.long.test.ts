import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chainRow } from '../harness/evm-rows.js';
import { createImportDatabase, runImport, type ImportDatabase } from '../harness/ingest.js';
import { addressOf, idOf, transactionRow, utxoRow } from '../harness/ledger-rows.js';

const MIB = 1024 * 1024;
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

let database: ImportDatabase;
beforeAll(async () => {
  database = await createImportDatabase();
});
afterAll(() => database.close());

const take = (...paths: string[]) => runImport(database.storage, paths);
const bytesOf = (name: string, bytes: Buffer) => {
  const path = join(database.folder, name);
  writeFileSync(path, bytes);
  return path;
};

const asset = { assetId: idOf('asset'), symbol: 'A', denomination: 0, type: 'secp256k1', amount: '1' };
const genesis = (bytes: number) => ({
  blockchainInfo: { chainName: 'c', vmId: 'v', genesisData: 'g'.repeat(bytes) },
});
const owners = (count: number) => times(count, () => addressOf('anna'));

describe('what no chain could hold is rejected with its bound, and the rest of the file goes in:', () => {
  test.each<[string, object, string]>([
    [
      'a memo of 257 bytes',
      { memo: `0x${'00'.repeat(257)}` },
      'memo: has 516 bytes; at most 514 are accepted',
    ],
    ['a memo in letters of three bytes', { memo: '語'.repeat(200) }, 'memo: has 600 bytes; at most 514'],
    [
      'a genesis of more than a mebibyte',
      genesis(2 * MIB + 3),
      'blockchainInfo.genesisData: has 2097155 bytes; at most 2097154',
    ],
    [
      'such a genesis as an object',
      {
        blockchainInfo: {
          chainName: 'c',
          vmId: 'v',
          genesisData: { alloc: times(300_000, () => 'account') },
        },
      },
      'blockchainInfo.genesisData: has 3000011 bytes; at most 2097154',
    ],
    [
      'more owners of a reward than fit into a transaction',
      { rewardAddresses: owners(13_108) },
      'rewardAddresses: has 13108 items; at most 13107',
    ],
    [
      'an output with as many',
      { emittedUtxos: [utxoRow('o', { addresses: owners(13_108) })] },
      'emittedUtxos[0].addresses: has 13108 items; at most 13107',
    ],
    [
      'an encoded output larger than a transaction',
      { emittedUtxos: [utxoRow('o', { utxoBytes: `0x${'ab'.repeat(262_149)}` })] },
      'emittedUtxos[0].utxoBytes: has 524300 bytes; at most 524298',
    ],
    [
      'a name of an asset',
      { value: [{ ...asset, name: 'n'.repeat(257) }] },
      'value[0].name: has 257 bytes; at most 256',
    ],
    ['any other text', { nodeId: 'n'.repeat(65_537) }, 'nodeId: has 65537 bytes; at most 65536'],
  ])('%s', async (what, fields, reason) => {
    const rows = [
      transactionRow(`${what} before`),
      transactionRow(what, fields),
      transactionRow(`${what} after`),
    ];
    const path = database.write('mainnet.p-chain.transactions.ndjson', rows);
    const { written, rejected, lines } = await take(path);
    expect([written, rejected]).toEqual([2, 1]);
    expect(lines).toContainEqual(expect.stringContaining(`${path}:2: ${reason}`));
  });

  test('what is as large as it may be goes in', async () => {
    const largest = [
      transactionRow('memo', { memo: `0x${'00'.repeat(256)}` }),
      transactionRow('genesis', genesis(2 * MIB)),
      transactionRow('owners', { rewardAddresses: owners(13_107) }),
      transactionRow('outputs', { emittedUtxos: times(4400, (index) => utxoRow(`of ${index}`)) }),
    ];
    expect(await take(database.write('mainnet.p-chain.transactions.ndjson', largest))).toMatchObject({
      written: 4,
      rejected: 0,
    });
  });

  test('parents and transactions of a vertex, texts of a chain and of a token', async () => {
    const vertex = {
      parentHashes: [],
      transactions: [],
      vertexHeight: 1,
      vertexIndex: 1,
      vertexTimestamp: 1,
      txCount: 0,
      vertexSizeBytes: 1,
    };
    const ids = (count: number) => times(count, (index) => idOf(`id ${index}`));
    const paths = [
      database.write('mainnet.x-chain.vertices.ndjson', [
        { ...vertex, vertexHash: idOf('v1'), parentHashes: ids(129) },
        { ...vertex, vertexHash: idOf('v2'), transactions: ids(1025) },
        { ...vertex, vertexHash: idOf('v3'), parentHashes: ids(128), transactions: ids(1024) },
      ]),
      database.write('evm.chains.ndjson', [chainRow('43114', { description: 'd'.repeat(65_537) })]),
      database.write('evm.nft-tokens.ndjson', [
        {
          evmChainId: '43114',
          address: `0x${'ab'.repeat(20)}`,
          tokenId: '1',
          metadata: { status: 'failed', failureReason: 'f'.repeat(4 * MIB + 1) },
        },
      ]),
    ];
    const { written, rejected, lines } = await take(...paths);
    expect([written, rejected]).toEqual([1, 4]);
    for (const reason of [
      '1: parentHashes: has 129 items; at most 128',
      '2: transactions: has 1025 items; at most 1024',
      '1: description: has 65537 bytes',
      '1: metadata.failureReason: ',
    ])
      expect(lines).toContainEqual(expect.stringContaining(reason));
  });
});

describe('of a file that is none of rows memory and time are bounded:', () => {
  const [good, next] = times(2, (index) => Buffer.from(`${JSON.stringify(utxoRow(`good ${index}`))}\n`));

  test('a line of more than 16 MiB is rejected and the next one goes in', async () => {
    const path = bytesOf(
      'mainnet.p-chain.utxos.ndjson',
      Buffer.concat([good!, Buffer.alloc(16 * MIB + 1, ' '), Buffer.from('\n'), next!]),
    );
    const { written, lines } = await take(path);
    expect(written).toBe(2);
    expect(lines).toContainEqual(`${path}:2: is longer than ${16 * MIB} bytes`);
  });

  test('blank lines end a file after a million, and what came before is in', async () => {
    const path = bytesOf(
      'mainnet.p-chain.utxos.part-2.ndjson',
      Buffer.concat([good!, Buffer.alloc(1_000_001, '\n'), next!]),
    );
    const { brokenFiles, lines } = await take(path);
    expect(brokenFiles).toBe(1);
    expect(lines).toContainEqual(`${path}: cannot be read further: line 1000002 follows 1000000 blank lines`);
  });

  test.each([
    ['blank lines', '\n '],
    ['one line', 'x'],
  ])('a packed file that unpacks to hundreds of times its size ends early: %s', async (_what, filling) => {
    const path = bytesOf(
      'mainnet.p-chain.utxos.part-3.ndjson.gz',
      gzipSync(Buffer.concat([good!, Buffer.alloc(100 * MIB, filling)])),
    );
    const { brokenFiles, lines } = await take(path);
    expect(brokenFiles).toBe(1);
    expect(lines).toContainEqual(
      expect.stringMatching(
        /cannot be read further: (it unpacks to more than 400 times its size|line \d+ follows 1000000 blank lines)$/,
      ),
    );
  });
});
