import { afterAll, beforeAll, expect, test } from 'vitest';
import { readArguments } from '../../../src/arguments/argument.js';
import type { PageRequest } from '../../../src/paging/page-request.js';
import { balanceList } from '../../../src/resources/address/list.js';
import { utxoStateArguments, type UtxoStateQuery } from '../../../src/resources/utxo/arguments.js';
import type { UtxoState } from '../../../src/resources/utxo/holding.js';
import { stateUtxoList } from '../../../src/resources/utxo/state-list.js';
import type { Storage } from '../../../src/storage/open.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { touchedByReading } from '../../harness/buffers.js';
import { poolOf } from '../../harness/connections.js';
import { addressOf, outputId, utxoRow } from '../../harness/ledger-rows.js';
import { importRows } from '../../harness/seed.js';

const LOCKED = 34_000;
const PAGE = 10;
/** Blocks of 8 kB that a page may read; the rows of the address and their indexes have over 4,000. */
const BUFFERS = 250;
const NOW = 1_700_000_000;

/** One whose locks end at few times, and one each of whose locks ends at another time. */
const owners = { few: addressOf('few moments'), many: addressOf('many moments') };

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
  for (const [kind, address] of Object.entries(owners)) {
    const lockOf = (index: number) => NOW + 1 + (kind === 'few' ? index % 12 : index);
    const locked = Array.from({ length: LOCKED }, (_, index) =>
      utxoRow(`${kind} locked ${index}`, {
        addresses: [address],
        threshold: 1,
        blockTimestamp: 1_600_000_010 + index,
        [index % 2 ? 'platformLocktime' : 'stakeableLocktime']: lockOf(index),
      }),
    );
    // The oldest: behind all others, newest first.
    const free = Array.from({ length: 10 }, (_, index) =>
      utxoRow(`${kind} free ${index}`, {
        addresses: [address],
        threshold: 1,
        blockTimestamp: 1_600_000_000 + index,
        ...(index % 2 && { platformLocktime: NOW - index }),
      }),
    );
    await importRows(gateway.storage, 'mainnet.p-chain.utxos', [...locked, ...free]);
  }
  await poolOf(gateway.storage).query('VACUUM (ANALYZE)');
}, 600_000);
afterAll(() => gateway?.close());

const request = (after: string | null): PageRequest => ({
  direction: 'forward',
  limit: PAGE,
  after,
  before: null,
});

async function touchedByPage(more: Partial<UtxoStateQuery>, after: string | null = null) {
  const given = { network: 'mainnet', blockchainId: 'p-chain', addresses: [owners.few], at: NOW };
  const query = readArguments(utxoStateArguments, { ...given, state: 'SPENDABLE' });
  const read = (storage: Storage) => stateUtxoList.read(storage, { ...query, ...more }, request(after));
  return touchedByReading(gateway.storage, read, 'generic');
}

const cases: [string, Partial<UtxoStateQuery>][] = [
  ['newest first', {}],
  ['oldest first', { sortOrder: 'asc' }],
  ['by amount', { sortBy: 'amount' }],
  ['with a minimum that all pass', { minUtxoAmount: 1n }],
  ['with a minimum that none passes', { minUtxoAmount: 10n ** 30n }],
  ['for one signature', { multiSignature: false }],
];

test.each(cases)(
  `a page of the 10 outputs that can be spent, next to ${LOCKED} that cannot, touches few blocks: %s`,
  async (_title, more) => {
    for (const owner of Object.values(owners)) {
      const { buffers, rows } = await touchedByPage({ addresses: [owner], ...more });
      expect(rows).toBe(more.minUtxoAmount && more.minUtxoAmount > 1000n ? 0 : PAGE);
      expect(buffers).toBeLessThan(BUFFERS);
    }
  },
);

test.each<[UtxoState, string]>([
  ['LOCKED_PLATFORM', 'few locked 1'],
  ['LOCKED_STAKEABLE', 'few locked 0'],
])(
  'a page of the %s ones costs a descent for each moment at which some unlock, and not more far from the first',
  async (state, oldest) => {
    const {
      rows: [row],
    } = await poolOf(gateway.storage).query<{ id: string }>(`SELECT id::text FROM utxo WHERE utxo_id = $1`, [
      outputId(oldest.replace(/\d+$/, (digit) => String(Number(digit) + 20_000))),
    ]);
    for (const after of [null, row?.id ?? '']) {
      const { buffers, rows } = await touchedByPage({ state }, after);
      expect(rows).toBe(PAGE + 1);
      expect(buffers).toBeLessThan(BUFFERS);
    }
  },
);

test('the balances of an address touch as many blocks as its moments take, not its outputs', async () => {
  const read = (address: string) => (storage: Storage) =>
    balanceList.readBatch(storage, [
      { query: { network: 'mainnet', address, blockchainId: 'p', at: String(NOW) }, request: request(null) },
    ]);
  const { buffers, rows } = await touchedByReading(gateway.storage, read(owners.few), 'generic');
  expect(rows).toBe(1);
  expect(buffers).toBeLessThan(40);
});

test('the measurement can tell: all that is locked at moments of its own touches far more', async () => {
  const { buffers } = await touchedByPage({ addresses: [owners.many], state: 'LOCKED_PLATFORM' });
  expect(buffers).toBeGreaterThan(BUFFERS * 10);
});
