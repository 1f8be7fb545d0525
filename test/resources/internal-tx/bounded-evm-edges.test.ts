import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readArguments } from '../../../src/arguments/argument.js';
import type { List } from '../../../src/lists/read.js';
import type { PageRequest } from '../../../src/paging/page-request.js';
import {
  icmMessageListArguments,
  partyMessageArguments,
} from '../../../src/resources/icm-message/arguments.js';
import { icmMessageList } from '../../../src/resources/icm-message/list.js';
import { partyMessageList } from '../../../src/resources/icm-message/party-list.js';
import { chainInternalTxArguments } from '../../../src/resources/internal-tx/arguments.js';
import { chainInternalTxList } from '../../../src/resources/internal-tx/list.js';
import { ownedTokenArguments } from '../../../src/resources/nft/arguments.js';
import { ownedTokenList } from '../../../src/resources/nft/list.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { touchedBy, touchedByReading } from '../../harness/buffers.js';
import { poolOf } from '../../harness/connections.js';
import { addressAt, chainAt, evmIdAt } from '../../harness/generated-evm.js';
import { generateEvmEdges } from '../../harness/generated-evm-edges.js';
import { hashAt } from '../../harness/evm-rows.js';

const ROWS = 60_000;
const PAGE = 10;
/** Blocks that a page may read, of several thousands. */
const BUFFERS = 200;
/** A transaction with a third of all frames. */
const LARGE = hashAt(1);

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({ STATEMENT_TIMEOUT_MS: '300000' });
  await generateEvmEdges(poolOf(gateway.storage), ROWS, LARGE);
});
afterAll(() => gateway?.close());

interface Cursors {
  after?: string;
  before?: string;
}
const pageOf = ({ after, before }: Cursors): PageRequest => ({
  direction: before === undefined ? 'forward' : 'backward',
  limit: PAGE,
  after: after ?? null,
  before: before ?? null,
});

async function expectBounded<Query>(
  list: List<Query, unknown>,
  query: Query,
  cursors: Cursors,
  expected: number,
) {
  for (const plan of ['generic', 'custom'] as const) {
    const { rows, buffers } = await touchedByReading(
      gateway.storage,
      (storage) => list.readBatch(storage, [{ query, request: pageOf(cursors) }]),
      plan,
    );
    expect(rows, plan).toBe(expected);
    expect(buffers, plan).toBeLessThan(BUFFERS);
  }
}

describe('a page of the internal transactions of a chain touches a bounded number of blocks', () => {
  const middle = String(ROWS / 3);
  const inLarge = String(ROWS - 9000);
  test.each<[title: string, filters: object, cursors: Cursors, expected: number]>([
    ['of all', {}, {}, PAGE + 1],
    ['far from the first page', {}, { after: middle }, PAGE + 1],
    ['far within a range', { startBlock: '1000', endBlock: '99999' }, { after: middle }, PAGE + 1],
    ['backward within a range', { startBlock: '1000', endBlock: '99999' }, { before: middle }, PAGE + 1],
    ['of a block', { blockNumber: '1500' }, {}, PAGE + 1],
    ['of a range without any', { startBlock: '900000' }, {}, 0],
    ['of a transaction with 20,000', { txHash: LARGE }, {}, PAGE + 1],
    ['far within that', { txHash: LARGE, startBlock: '7' }, { after: inLarge }, PAGE + 1],
    ['backward within that', { txHash: LARGE, endBlock: '9999' }, { before: inLarge }, PAGE + 1],
    ['of a transaction with none', { txHash: hashAt(2) }, {}, 0],
  ])('%s', async (_title, filters, cursors, expected) => {
    const query = { evmChainId: '7', ...readArguments(chainInternalTxArguments, { ...filters }) };
    await expectBounded(chainInternalTxList, query, cursors, expected);
  });
});

describe('a page of the messages of an EVM address touches a bounded number of blocks', () => {
  const earliest = { since: '1700000000' };
  const latest = { until: '1800000000' };
  test.each<[title: string, number: number, filters: object, isFar: boolean, expected: number]>([
    ['of one that sent an eighth of all', 3, {}, false, PAGE + 1],
    ['far from the first page', 3, { direction: 'sent' }, true, PAGE + 1],
    ['far within times', 3, { ...earliest, ...latest }, true, PAGE + 1],
    ['in a time without any', 3, { since: '1790000000' }, false, 0],
    ['of one that received an eighth', 4, { direction: 'received' }, false, PAGE + 1],
    ['of one that sent nothing', 4, { direction: 'sent' }, false, 0],
  ])('%s', async (_title, number, filters, isFar, expected) => {
    const values = readArguments(partyMessageArguments, { ...filters });
    const query = { evmChainId: evmIdAt(number), address: addressAt(number), ...values };
    await expectBounded(partyMessageList, query, isFar ? { after: await middleMessage() } : {}, expected);
  });

  test('so does one of all messages, far within times', async () => {
    const query = readArguments(icmMessageListArguments, { network: 'mainnet', ...earliest, ...latest });
    const { rows, buffers } = await touchedByReading(
      gateway.storage,
      async (storage) => icmMessageList.read(storage, query, pageOf({ after: await middleMessage() })),
      'generic',
    );
    expect(rows).toBe(PAGE + 1);
    expect(buffers).toBeLessThan(BUFFERS);
  });

  // Delivered are the ten thousand from chain 5, those to chain 6, and one in forty of the others; all else
  // is pending.
  const [fifth, sixth] = [chainAt(5), chainAt(6)];
  test.each<[title: string, filters: object, isFar: boolean, expected: number]>([
    ['that almost all have', { status: 'pending' }, false, PAGE + 1],
    ['that few have', { status: 'delivered' }, false, PAGE + 1],
    ['that none has', { status: 'delivered_source_not_indexed' }, false, 0],
    ['far within times', { status: 'pending', ...earliest, ...latest }, true, PAGE + 1],
    ['in a time without any', { status: 'pending', since: '1790000000' }, false, 0],
    ['that a source has of none of its many', { status: 'pending', sourceBlockchainId: fifth }, false, 0],
    [
      'that a source has of all of its many',
      { status: 'delivered', sourceBlockchainId: fifth },
      false,
      PAGE + 1,
    ],
    ['that a destination has of none', { status: 'pending', destinationBlockchainId: sixth }, false, 0],
    [
      'that a destination has of all',
      { status: 'delivered', destinationBlockchainId: sixth },
      false,
      PAGE + 1,
    ],
    [
      'between two chains',
      { status: 'pending', sourceBlockchainId: fifth, destinationBlockchainId: sixth },
      false,
      0,
    ],
    ['from or to a chain', { status: 'pending', blockchainId: fifth }, false, PAGE + 1],
    ['from or to a chain, none', { status: 'delivered_source_not_indexed', blockchainId: sixth }, false, 0],
  ])('so does one of the messages of a status: %s', async (_title, filters, isFar, expected) => {
    const query = readArguments(icmMessageListArguments, { ...filters });
    await expectBounded(icmMessageList, query, isFar ? { after: await middleMessage() } : {}, expected);
  });

  test.each([
    ['few', { txHash: LARGE }, 3],
    ['few of a status', { txHash: LARGE, status: 'pending' }, 0],
    ['few, filtered', { txHash: LARGE, network: 'mainnet', since: '1' }, 3],
    ['none', { txHash: hashAt(2) }, 0],
  ])('so does one of the messages of a transaction: %s', async (_title, filters, expected) => {
    const query = readArguments(icmMessageListArguments, { ...filters });
    for (const plan of ['generic', 'custom'] as const) {
      const { rows, buffers } = await touchedByReading(
        gateway.storage,
        (storage) => icmMessageList.read(storage, query, pageOf({})),
        plan,
      );
      expect(rows, plan).toBe(expected);
      expect(buffers, plan).toBeLessThan(BUFFERS);
    }
  });

  async function middleMessage(): Promise<string> {
    const { rows } = await poolOf(gateway.storage).query<{ id: string }>(
      `SELECT id FROM icm_message WHERE timestamp = ${1_700_000_000 + ROWS / 20} AND source_id = 3 LIMIT 1`,
    );
    return rows[0]?.id ?? '';
  }
});

describe('a page of the NFTs of an EVM address touches a bounded number of blocks', () => {
  test.each<[title: string, number: number, filters: object, cursors: Cursors, expected: number]>([
    ['of one with 30,000', 1, {}, {}, PAGE + 1],
    ['far from the first page', 1, {}, { after: String(ROWS / 2 + 2) }, PAGE + 1],
    ['of a collection', 1, { collection: addressAt(1048) }, {}, PAGE + 1],
    ['of a collection of which it has none', 1, { collection: addressAt(1001) }, {}, 0],
    ['of one with six', 2, {}, {}, 6],
  ])('%s', async (_title, number, filters, cursors, expected) => {
    const values = readArguments(ownedTokenArguments, { ...filters });
    await expectBounded(
      ownedTokenList,
      { evmChainId: '7', owner: addressAt(number), ...values },
      cursors,
      expected,
    );
  });
});

test.each(['internal_tx', 'icm_message', 'nft_token'])(
  'the measurement can tell: counting %s touches far more',
  async (table) => {
    const everything = { name: '', text: `SELECT count(${table}) FROM ${table}`, parameters: [] };
    expect((await touchedBy(gateway.storage, everything, {})).buffers).toBeGreaterThan(BUFFERS * 2.5);
  },
);
