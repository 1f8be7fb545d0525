import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeCb58 } from '../../src/avalanche/cb58.js';
import { poolOf } from '../harness/connections.js';
import { primaryScope } from '../../src/ingest/scope.js';
import { transactionRows } from '../../src/resources/transaction/import.js';
import { writeSets } from '../../src/write/transaction.js';
import { addresses, chainRow, frameRow, hashAt, idOf, messageRow } from '../harness/evm-rows.js';
import { createImportDatabase, runImport, type ImportDatabase } from '../harness/ingest.js';
import { addressOf, transactionRow, utxoRow } from '../harness/ledger-rows.js';
import { blocksReadBy } from '../harness/read-blocks.js';

const SMALL = 1500;
const TIMES = 4;
/** What blocks may grow by when rows grow by TIMES: an index of more rows has more levels. */
const MOST = 1.5 * TIMES;

const hex = (number: number) => `0x${number.toString(16).padStart(40, '0')}`;
const time = (number: number, later: boolean) => 1_600_000_000 + 86_400 * number + (later ? 7 : 0);

const outputs = (number: number, later: boolean) =>
  utxoRow(`output ${number}`, {
    addresses: [addressOf(number % 2 === 0 ? 'wallet' : `owner ${number}`)],
    blockTimestamp: time(number, false),
    ...(later && { consumingTxHash: idOf(`taker ${number}`), consumingBlockTimestamp: time(number, true) }),
  });

/** Rows of each kind of file, as they come first and as a later file corrects them. */
const files: Record<string, (number: number, later: boolean) => object> = {
  'mainnet.p-chain.utxos': outputs,
  'mainnet.p-chain.transactions': (number, later) =>
    transactionRow(`transaction ${number}`, {
      txType: 'AddSubnetValidatorTx',
      // On another day: what counts the addresses of days looks for other transactions of both.
      blockTimestamp: time(later ? number + 1 : number, later),
      nodeId: `NodeID-${encodeCb58(Buffer.alloc(20, String(number)))}`,
      subnetId: idOf(`subnet ${number % 2 === 0 ? 0 : number}`),
      emittedUtxos: [utxoRow(`emitted ${number}`, { addresses: [addressOf('wallet')] })],
    }),
  'mainnet.x-chain.vertices': (number, later) => ({
    vertexHash: idOf(`vertex ${number}`),
    parentHashes: [idOf(`vertex ${number - 1}`)],
    vertexHeight: number,
    vertexIndex: 0,
    vertexTimestamp: time(number, later),
    txCount: 1,
    transactions: [idOf(`t ${number}`)],
    vertexSizeBytes: 100,
  }),
  'mainnet.icm.messages': (number, later) =>
    messageRow({
      messageId: hashAt(number).slice(2),
      messageNonce: String(number),
      from: number % 2 === 0 ? addresses[0] : hex(number),
      messageExecuted: later,
    }),
  'evm.43114.internal-transactions': (number, later) =>
    frameRow({
      txHash: hashAt(number),
      blockNumber: String(number),
      position: 0,
      gasUsed: later ? '1' : '0',
    }),
  'evm.chains': (number, later) => chainRow(String(number + 1), { isActive: later }),
  'evm.nft-tokens': (number, later) => ({
    evmChainId: '1',
    address: hex(1),
    tokenId: String(number),
    owner: hex(later ? 2 : 3),
    lastTransferBlock: later ? '2' : '1',
  }),
  'evm.43114.native-balances': (number, later) => ({
    date: new Date((18_000 + (number % 2 === 0 ? number / 2 : 0)) * 86_400_000).toISOString().slice(0, 10),
    address: hex(number % 2 === 0 ? 1 : number),
    balance: later ? '2' : '1',
  }),
};

let databases: ImportDatabase[] = [];
beforeAll(async () => {
  databases = [await createImportDatabase(), await createImportDatabase()];
  for (const database of databases) await poolOf(database.storage).query('VACUUM (ANALYZE)');
});
afterAll(async () => {
  for (const database of databases) await database.close();
  databases = [];
});

describe.each(Object.entries(files))(
  'an import of %s into tables that were vacuumed while they were empty',
  (name, row) => {
    test.each([
      ['new rows', false],
      ['rows that correct them', true],
    ])('reads as many blocks a row for four times the rows: %s', async (_title, later) => {
      const blocks: number[] = [];
      for (const [index, database] of databases.entries()) {
        const rows = Array.from({ length: SMALL * TIMES ** index }, (_, number) => row(number, later));
        const path = database.write(`${name}.ndjson`, rows);
        const read = await blocksReadBy(database.url, async () => {
          const { lines } = await runImport(database.storage, [path], { indexLateFrom: Infinity });
          expect(lines).toEqual([]);
        });
        blocks.push(read);
      }
      const [small = NaN, large = NaN] = blocks;
      expect(large / small, blocks.join(' and ')).toBeLessThan(MOST);
    });
  },
);

test('a block of one transaction reads as much, however many are stored', async () => {
  const scope = primaryScope({ network: 'mainnet', chain: 'p' });
  // To an address that many others name, on a day of its own; the first one also fills caches.
  const row = (number: number) => files['mainnet.p-chain.transactions']!(1_000_000 + number, false);
  const blocks: number[] = [];
  for (const database of databases) {
    const write = (number: number) =>
      database.storage.session((session) =>
        writeSets(session, [
          { kind: transactionRows, scope, rows: [transactionRows.read(row(number), scope)] },
        ]),
      );
    await write(0);
    blocks.push(await blocksReadBy(database.url, () => write(1)));
  }
  const [small = NaN, large = NaN] = blocks;
  expect(large / small, blocks.join(' and ')).toBeLessThan(1.5);
});
