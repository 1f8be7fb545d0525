import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RowError, RowLeftOut } from '../../src/rows/errors.js';
import { recognise } from '../../src/ingest/source-file.js';
import { fileKinds } from '../../src/resources.js';
import { addresses, deliveryAt, frameRow, messageRow, sourceAt } from '../harness/evm-rows.js';
import { createImportDatabase, runImport, type ImportDatabase } from '../harness/ingest.js';
import { idOf, transactionRow, utxoRow } from '../harness/ledger-rows.js';

/** What the import says of a row, as from a file of this name; null where it takes it. */
function refusalOf(file: string, row: object): string | null {
  const { kind, scope } = recognise(file, {}, fileKinds);
  try {
    kind.rows.read(row, scope);
    return null;
  } catch (error) {
    if (error instanceof RowError && !(error instanceof RowLeftOut)) return error.message;
    throw error;
  }
}

const MILLISECONDS = 1_700_000_000_000;
const consumed = { consumingTxHash: idOf('taker') };
const metric = { subnetId: idOf('subnet'), metric: 'perSubnetDailyFeesPaid', value: '1' };
const nft = { evmChainId: '43114', address: addresses[0], tokenId: '1', owner: addresses[1] };
const vertex = {
  vertexHash: idOf('v'),
  parentHashes: [],
  vertexHeight: 1,
  vertexIndex: 0,
  txCount: 1,
  transactions: [idOf('t')],
  vertexSizeBytes: 10,
};
const inP = (fields: object) => transactionRow('t', { emittedUtxos: [utxoRow('u', fields)] });

/** Every time of every kind. */
const times: readonly [field: string, file: string, rowAt: (time: number) => object][] = [
  ['blockTimestamp', 'mainnet.p-chain.utxos', (time) => utxoRow('u', { blockTimestamp: time })],
  [
    'consumingBlockTimestamp',
    'mainnet.p-chain.utxos',
    (time) => utxoRow('u', { ...consumed, consumingBlockTimestamp: time }),
  ],
  ['utxoStartTimestamp', 'mainnet.p-chain.utxos', (time) => utxoRow('u', { utxoStartTimestamp: time })],
  ['utxoEndTimestamp', 'mainnet.p-chain.utxos', (time) => utxoRow('u', { utxoEndTimestamp: time })],
  ['emittedUtxos[0].blockTimestamp', 'mainnet.p-chain.transactions', (time) => inP({ blockTimestamp: time })],
  ['blockTimestamp', 'mainnet.x-chain.transactions', (time) => transactionRow('t', { blockTimestamp: time })],
  ['startTimestamp', 'mainnet.p-chain.transactions', (time) => transactionRow('t', { startTimestamp: time })],
  ['endTimestamp', 'mainnet.p-chain.transactions', (time) => transactionRow('t', { endTimestamp: time })],
  ['vertexTimestamp', 'mainnet.x-chain.vertices', (time) => ({ ...vertex, vertexTimestamp: time })],
  ['blockTimestamp', 'evm.43114.internal-transactions', (time) => frameRow({ blockTimestamp: time })],
  ['lastTransferTimestamp', 'evm.nft-tokens', (time) => ({ ...nft, lastTransferTimestamp: time })],
  [
    'sourceTransaction.timestamp',
    'mainnet.icm.messages',
    (time) => messageRow({ sourceTransaction: sourceAt(time) }),
  ],
  [
    'destinationTransaction.timestamp',
    'mainnet.icm.messages',
    (time) => messageRow({ destinationTransaction: deliveryAt(time) }),
  ],
  ['timestamp', 'mainnet.subnet-metrics', (time) => ({ ...metric, timestamp: time - (time % 86_400) })],
];

describe('a time in milliseconds is refused, by the name of its field and with the reason', () => {
  test.each(times)('%s of %s', (field, file, rowAt) => {
    expect(refusalOf(file, rowAt(MILLISECONDS / 1000))).toBeNull();
    const refusal = refusalOf(file, rowAt(MILLISECONDS));
    expect(refusal).toMatch(/Unix seconds, 0 to 99999999999; milliseconds are not accepted/);
    expect(refusal?.startsWith(`${field}: `)).toBe(true);
  });

  test('but a lock, and the end of a period, may last for ever', () => {
    const never = 2n ** 64n - 1n;
    const locks = { platformLocktime: never, stakeableLocktime: MILLISECONDS, utxoEndTimestamp: never };
    expect(refusalOf('mainnet.p-chain.utxos', utxoRow('u', locks))).toBeNull();
  });
});

test.each<[string, string, object, RegExp]>([
  [
    'the block of a consumer that is no transaction',
    'mainnet.p-chain.utxos',
    utxoRow('u', { consumingBlockNumber: '5' }),
    /^consumingBlockNumber: 5 requires consumingTxHash, which is missing/,
  ],
  [
    'the time of one',
    'mainnet.p-chain.transactions',
    inP({ consumingBlockTimestamp: 5 }),
    /^emittedUtxos\[0\]\.consumingBlockTimestamp: 5 requires consumingTxHash/,
  ],
  [
    'an output index that the chain has no room for',
    'mainnet.p-chain.utxos',
    utxoRow('u', { outputIndex: 2 ** 32 }),
    /^outputIndex: 4294967296 is not a whole number of 0 to 4294967295/,
  ],
  [
    'a denomination beyond a byte',
    'mainnet.assets',
    { assetId: idOf('a'), name: 'A', denomination: 256 },
    /denomination: 256 is not a whole number of 0 to 255/,
  ],
  ['a negative amount', 'mainnet.p-chain.utxos', utxoRow('u', { amount: '-1' }), /amount: "-1" is not/],
  [
    'a day that is the newest for ever',
    'evm.43114.native-balances',
    { date: '9999-12-31', address: addresses[0], balance: '1' },
    /^date: "9999-12-31" is not a date up to 5138-11-16/,
  ],
  [
    'a fraction of a fee',
    'mainnet.subnet-metrics',
    { ...metric, value: 1.5, timestamp: 0 },
    /^value: 1\.5 is not a whole number/,
  ],
  ['a point of no subnet', 'mainnet.subnet-metrics', { value: 1, timestamp: 0 }, /^metric: is missing/],
])('%s is refused with its reason', (_what, file, row, reason) => {
  expect(refusalOf(file, row)).toMatch(reason);
});

test('an output among those that a transaction consumed may leave its consumer to it', () => {
  const consumedUtxos = [utxoRow('u', { consumingBlockNumber: '5' })];
  expect(refusalOf('mainnet.p-chain.transactions', transactionRow('t', { consumedUtxos }))).toBeNull();
});

describe('words of a closed set', () => {
  let database: ImportDatabase;
  beforeAll(async () => {
    database = await createImportDatabase();
  });
  afterAll(() => database.close());

  test.each<[string, string, object, string, string]>([
    [
      'evm.43114.internal-transactions',
      'internalTxType',
      frameRow({ internalTxType: 'create2' }),
      'type',
      'CREATE2',
    ],
    ['mainnet.p-chain.utxos', 'utxoType', utxoRow('u', { utxoType: 'stake' }), 'utxo_type', 'STAKE'],
    ['mainnet.p-chain.transactions', 'txType', transactionRow('t', { txType: 'BASETX' }), 'txType', 'BaseTx'],
    ['mainnet.icm.messages', 'status', { ...messageRow(), status: 'Pending' }, 'status', 'pending'],
  ])('are read in any case: of %s the %s', (file, _field, row, name, word) => {
    const { kind, scope } = recognise(file, {}, fileKinds);
    const read = kind.rows.read(row, scope) as Record<string, Record<string, unknown>>;
    expect({ ...read, ...read['record'], ...read['details'] }[name]).toBe(word);
  });

  test('that are left out are counted and named', async () => {
    const rows = [
      frameRow({ internalTxType: 'call' }),
      frameRow({ internalTxType: 'call', value: '0' }),
      frameRow({ internalTxType: 'staticcall' }),
      frameRow({ internalTxType: 'SelfDestruct' }),
    ];
    const path = database.write('evm.43114.internal-transactions.ndjson', rows);
    const { written, leftOut, rejected, lines } = await runImport(database.storage, [path]);
    expect({ written, leftOut, rejected }).toEqual({ written: 1, leftOut: 3, rejected: 0 });
    expect(lines.map((line) => line.replace(path, ''))).toEqual([
      ': left out 1 calls without value',
      ': left out 1 frames of type STATICCALL',
      ': left out 1 frames of type UNKNOWN',
    ]);
  });
});

test('a row of a page is refused by its place in the page, and the others go in', async () => {
  const database = await createImportDatabase();
  try {
    const utxos = [utxoRow('a'), utxoRow('b', { blockTimestamp: MILLISECONDS }), utxoRow('c')];
    const path = database.write('mainnet.p-chain.utxos.ndjson', [{ utxos, chainInfo: {} }, utxoRow('d')]);
    const { rows, written, rejected, lines } = await runImport(database.storage, [path]);
    expect({ rows, written, rejected }).toEqual({ rows: 4, written: 3, rejected: 1 });
    expect(lines[0]).toMatch(/\.ndjson:1: utxos\[1\]: blockTimestamp: 1700000000000 is not a time/);
  } finally {
    await database.close();
  }
});
