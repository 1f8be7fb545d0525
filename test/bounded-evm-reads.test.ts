import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toBytea } from '../src/avalanche/evm.js';
import { icmListStatement, type IcmListShape } from '../src/resources/icm-message/list-statement.js';
import { internalTxListStatement } from '../src/resources/internal-tx/list-statement.js';
import { createApp, type TestApp } from './harness/app.js';
import { touchedBy, type Touched } from './harness/buffers.js';
import { addressAt, chainAt, generateFrames, generateMessages } from './harness/generated-evm.js';

const MESSAGES = 160_000;
const FRAMES = 200_000;
const PAGE = 10;
/** Blocks that a page may touch, of over 30,000. */
const BUFFERS = 200;

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({ STATEMENT_TIMEOUT_MS: '300000' });
  await generateMessages(gateway.storage.pool, MESSAGES);
  await generateFrames(gateway.storage.pool, FRAMES);
}, 300_000);
afterAll(() => gateway?.close());

type Filter = 'source' | 'destination' | 'from' | 'to' | 'either';
const filters: Filter[] = ['source', 'destination', 'from', 'to', 'either'];
const sets = Array.from({ length: 32 }, (_, bits) => filters.filter((_filter, place) => bits & (1 << place)));

/** Parameters under which every set of filters matches an eighth of all messages. */
const dense = {
  source: chainAt(3),
  destination: chainAt(4),
  blockchain: chainAt(3),
  from: toBytea(addressAt(3)),
  to: toBytea(addressAt(4)),
};
/** Parameters of which each alone matches an eighth of all messages, and no two match any. */
const sparse = {
  source: chainAt(1),
  destination: chainAt(2),
  blockchain: chainAt(2),
  from: toBytea(addressAt(1)),
  to: toBytea(addressAt(2)),
};

async function messagePage(
  set: readonly Filter[],
  values: object,
  { after = null, evm = false }: { after?: string | null; evm?: boolean } = {},
): Promise<Touched> {
  const kind = evm ? 'evm' : 'blockchain';
  const shape: IcmListShape = {
    request: { direction: 'forward', after, before: null },
    source: set.includes('source') ? kind : null,
    destination: set.includes('destination') ? kind : null,
    byEitherChain: set.includes('either'),
    byFrom: set.includes('from'),
    byTo: set.includes('to'),
  };
  const parameters = { networks: ['mainnet', 'fuji'], ...values, after, before: null, limit: PAGE + 1 };
  return touchedBy(gateway.storage, icmListStatement(shape), parameters);
}

describe(`a page of ${MESSAGES} ICM messages touches a bounded number of blocks`, () => {
  test.each(sets.map((set) => [set.join(' and ') || 'nothing', set] as const))(
    'filtered by %s',
    async (_title, set) => {
      const first = await messagePage(set, dense);
      expect(first.rows).toBe(PAGE + 1);
      expect(first.buffers).toBeLessThan(BUFFERS);
      // In the middle of what matches everything, far from the first page.
      const far = await messagePage(set, dense, { after: await middleMessage() });
      expect(far.rows).toBe(PAGE + 1);
      expect(far.buffers).toBeLessThan(BUFFERS);
      const rare = await messagePage(set, sparse);
      expect(rare.rows).toBe(
        set.filter((name) => name !== 'either' || !set.includes('destination')).length < 2 ? PAGE + 1 : 0,
      );
      expect(rare.buffers).toBeLessThan(BUFFERS);
    },
  );

  test('with chains by EVM id', async () => {
    const values = { ...dense, source: '1003', destination: '1004' };
    const { rows, buffers } = await messagePage(['source', 'destination', 'from'], values, { evm: true });
    expect(rows).toBe(PAGE + 1);
    expect(buffers).toBeLessThan(BUFFERS);
  });

  async function middleMessage(): Promise<string> {
    const { rows } = await gateway.storage.pool.query<{ id: string }>(
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
      { after: String(FRAMES / 2 + 1), start: '1500', stop: '9999' },
      PAGE + 1,
    ],
    [
      'of such an address, read backward from far',
      1,
      { before: String(FRAMES / 2), start: '1500', stop: '9999' },
      PAGE + 1,
    ],
    ['of such an address, in a range of blocks', 1, { start: '3000', stop: '4000' }, PAGE + 1],
    ['of such an address, in a range without any', 1, { start: '900000', stop: '999999' }, 0],
    ['of an address with ten', 2, {}, PAGE],
    ['of an address with one', 3, {}, 1],
    ['of an address with none', 99, {}, 0],
  ] as const)(
    '%s',
    async (
      _title,
      number,
      range: { after?: string; before?: string; start?: string; stop?: string },
      expected,
    ) => {
      const { after = null, before = null, start = '0', stop = '9223372036854775807' } = range;
      const direction = before === null ? 'forward' : 'backward';
      const request = { direction, limit: PAGE, after, before } as const;
      const { rows, buffers } = await touchedBy(gateway.storage, internalTxListStatement(request), {
        chains: ['7'],
        addresses: [toBytea(addressAt(number))],
        starts: [start],
        ends: [stop],
        afters: [after],
        befores: [before],
        limit: PAGE + 1,
      });
      expect(rows).toBe(expected);
      expect(buffers).toBeLessThan(BUFFERS);
    },
  );

  test('the measurement can tell: counting everything touches far more', async () => {
    const everything = { name: '', text: 'SELECT count(value) FROM internal_tx', parameters: [] };
    expect((await touchedBy(gateway.storage, everything, {})).buffers).toBeGreaterThan(BUFFERS * 10);
  });

  test('what is measured is the plan for all parameters', async () => {
    // Only a plan made for these two knows that no row passes, and asks an index.
    const text = 'SELECT count(value) FROM internal_tx WHERE evm_chain_id = $1::bigint OR $2::boolean';
    const chainOrAll = { name: '', text, parameters: ['chain', 'all'] };
    const { buffers } = await touchedBy(gateway.storage, chainOrAll, { chain: '99', all: false });
    expect(buffers).toBeGreaterThan(BUFFERS * 10);
  });
});
