import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readArguments } from '../../../src/arguments/argument.js';
import type { PageRequest } from '../../../src/paging/page-request.js';
import { icmMessageListArguments } from '../../../src/resources/icm-message/arguments.js';
import { icmMessageList } from '../../../src/resources/icm-message/list.js';
import { internalTxListArguments } from '../../../src/resources/internal-tx/arguments.js';
import { internalTxList } from '../../../src/resources/internal-tx/list.js';
import type { Storage } from '../../../src/storage/open.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { touchedBy, touchedByReading, type Touched } from '../../harness/buffers.js';
import { addressAt, chainAt, generateFrames, generateMessages } from '../../harness/generated-evm.js';
import { poolOf } from '../../harness/connections.js';

const MESSAGES = 160_000;
const FRAMES = 200_000;
const PAGE = 10;
/** Blocks that a page may read, of over 30,000. */
const BUFFERS = 200;

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({ STATEMENT_TIMEOUT_MS: '300000' });
  await generateMessages(poolOf(gateway.storage), MESSAGES);
  await generateFrames(poolOf(gateway.storage), FRAMES);
});
afterAll(() => gateway?.close());

const pageOf = (cursors: Partial<Pick<PageRequest, 'after' | 'before'>>): PageRequest => {
  const { after = null, before = null } = cursors;
  return { direction: before === null ? 'forward' : 'backward', limit: PAGE, after, before };
};

type Filter = Exclude<keyof typeof icmMessageListArguments, 'network'>;
type Values = Readonly<Partial<Record<Filter, string>>>;
const filters: Filter[] = ['sourceBlockchainId', 'destinationBlockchainId', 'from', 'to', 'blockchainId'];
const sets = Array.from({ length: 32 }, (_, bits) => filters.filter((_filter, index) => bits & (1 << index)));

/** Values under which every set of filters matches an eighth of all messages. */
const dense: Values = {
  sourceBlockchainId: chainAt(3),
  destinationBlockchainId: chainAt(4),
  blockchainId: chainAt(3),
  from: addressAt(3),
  to: addressAt(4),
};
/** Values of which each alone matches an eighth of all messages, and no two match any. */
const sparse: Values = {
  sourceBlockchainId: chainAt(1),
  destinationBlockchainId: chainAt(2),
  blockchainId: chainAt(2),
  from: addressAt(1),
  to: addressAt(2),
};

function messagePage(set: readonly Filter[], values: Values, after: string | null = null): Promise<Touched> {
  const given = Object.fromEntries(set.map((name) => [name, values[name]]));
  const query = readArguments(icmMessageListArguments, given);
  const read = (storage: Storage) => icmMessageList.read(storage, query, pageOf({ after }));
  return touchedByReading(gateway.storage, read, 'generic');
}

describe(`a page of ${MESSAGES} ICM messages touches a bounded number of blocks`, () => {
  test.each(sets.map((set) => [set.join(' and ') || 'nothing', set] as const))(
    'filtered by %s',
    async (_title, set) => {
      const first = await messagePage(set, dense);
      expect(first.rows).toBe(PAGE + 1);
      expect(first.buffers).toBeLessThan(BUFFERS);
      // In the middle of all that matches, far from the first page.
      const far = await messagePage(set, dense, await middleMessage());
      expect(far.rows).toBe(PAGE + 1);
      expect(far.buffers).toBeLessThan(BUFFERS);
      const rare = await messagePage(set, sparse);
      expect(rare.rows).toBe(
        set.filter((name) => name !== 'blockchainId' || !set.includes('destinationBlockchainId')).length < 2
          ? PAGE + 1
          : 0,
      );
      expect(rare.buffers).toBeLessThan(BUFFERS);
    },
  );

  test('with chains by EVM id', async () => {
    const values = { ...dense, sourceBlockchainId: '1003', destinationBlockchainId: '1004' };
    const set: Filter[] = ['sourceBlockchainId', 'destinationBlockchainId', 'from'];
    const { rows, buffers } = await messagePage(set, values);
    expect(rows).toBe(PAGE + 1);
    expect(buffers).toBeLessThan(BUFFERS);
  });

  async function middleMessage(): Promise<string> {
    const { rows } = await poolOf(gateway.storage).query<{ id: string }>(
      `SELECT id FROM icm_message WHERE timestamp = ${1_700_000_000 + MESSAGES / 20} AND source_id = 3 LIMIT 1`,
    );
    return rows[0]?.id ?? '';
  }
});

describe(`a page of ${FRAMES} internal transactions touches a bounded number of blocks`, () => {
  test.each([
    ['of an address with 150,000', 1, {}, PAGE + 1],
    ['of such an address, far from the first page', 1, { after: String(FRAMES / 2) }, PAGE + 1],
    [
      'of such an address, far within a range of blocks',
      1,
      { after: String(FRAMES / 2 + 1), startBlock: '1500', endBlock: '9999' },
      PAGE + 1,
    ],
    [
      'of such an address, read backward from far',
      1,
      { before: String(FRAMES / 2), startBlock: '1500', endBlock: '9999' },
      PAGE + 1,
    ],
    ['of such an address, in a range of blocks', 1, { startBlock: '3000', endBlock: '4000' }, PAGE + 1],
    ['of such an address, in a range without any', 1, { startBlock: '900000', endBlock: '999999' }, 0],
    ['of an address with ten', 2, {}, PAGE],
    ['of an address with one', 3, {}, 1],
    ['of an address with none', 99, {}, 0],
  ] as const)(
    '%s',
    async (
      _title,
      number,
      {
        after,
        before,
        ...blocks
      }: { after?: string; before?: string; startBlock?: string; endBlock?: string },
      expected,
    ) => {
      const range = readArguments(internalTxListArguments, blocks);
      const query = { evmChainId: '7', address: addressAt(number), ...range };
      const request = pageOf({ ...(after && { after }), ...(before && { before }) });
      const { rows, buffers } = await touchedByReading(
        gateway.storage,
        (storage) => internalTxList.readBatch(storage, [{ query, request }]),
        'generic',
      );
      expect(rows).toBe(expected);
      expect(buffers).toBeLessThan(BUFFERS);
    },
  );

  test('the measurement can tell: counting everything touches far more', async () => {
    const everything = { name: '', text: 'SELECT count(value) FROM internal_tx', parameters: [] };
    expect((await touchedBy(gateway.storage, everything, {})).buffers).toBeGreaterThan(BUFFERS * 10);
  });

  test('what is measured is the plan for all parameters', async () => {
    // Only a plan made for these two values knows that no row matches, and reads an index.
    const text = 'SELECT count(value) FROM internal_tx WHERE evm_chain_id = $1::bigint OR $2::boolean';
    const chainOrAll = { name: '', text, parameters: ['chain', 'all'] };
    const { buffers } = await touchedBy(gateway.storage, chainOrAll, { chain: '99', all: false });
    expect(buffers).toBeGreaterThan(BUFFERS * 10);
  });
});
