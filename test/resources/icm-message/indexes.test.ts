import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readArguments } from '../../../src/arguments/argument.js';
import type { PageRequest } from '../../../src/paging/page-request.js';
import {
  icmMessageListArguments,
  partyMessageArguments,
} from '../../../src/resources/icm-message/arguments.js';
import { findIcmMessages, icmMessageList } from '../../../src/resources/icm-message/list.js';
import { partyMessageList } from '../../../src/resources/icm-message/party-list.js';
import type { Storage } from '../../../src/storage/open.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { touchedByReading } from '../../harness/buffers.js';
import { poolOf } from '../../harness/connections.js';
import { hashAt } from '../../harness/evm-rows.js';
import { addressAt, chainAt, evmIdAt, generateMessages, insertChains } from '../../harness/generated-evm.js';

/** The indexes that the reads below used. */
const used = new Set<string>();

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({ STATEMENT_TIMEOUT_MS: '300000' });
  await generateMessages(poolOf(gateway.storage), 40_000);
});
afterAll(() => gateway?.close());

/** The indexes of messages that a read uses under the generic plan. */
async function indexesOf(work: (storage: Storage) => Promise<unknown>): Promise<string[]> {
  const { indexes } = await touchedByReading(gateway.storage, work, 'generic');
  const own = indexes.filter((name) => /^icm_message_(?!pkey)/.test(name));
  for (const name of own) used.add(name);
  return own;
}

const request: PageRequest = { direction: 'forward', limit: 10, after: null, before: null };
const party = { evmChainId: evmIdAt(3), address: addressAt(3) };
const ends = [
  ['s', { sourceBlockchainId: chainAt(3) }],
  ['d', { destinationBlockchainId: chainAt(4) }],
  ['f', { from: addressAt(3) }],
  ['t', { to: addressAt(4) }],
] as const;
const sets = Array.from({ length: 16 }, (_, bits) => ends.filter((_end, index) => bits & (1 << index)));

const titled = sets.map(
  (set) => [set.map(([, values]) => Object.keys(values)[0]).join(' and ') || 'no filter', set] as const,
);

describe('an index of ICM messages serves', () => {
  test.each(titled)('the list by %s', async (_title, set) => {
    const letters = set.map(([letter]) => letter).join('');
    const values = Object.assign({ network: 'mainnet' }, ...set.map(([, value]) => value)) as object;
    const query = readArguments(icmMessageListArguments, { ...values });
    expect(await indexesOf((storage) => icmMessageList.read(storage, query, request))).toEqual([
      `icm_message_${letters === '' ? '' : `${letters}_`}time_idx`,
    ]);
  });

  test.each(titled)('the list by a status and %s', async (_title, set) => {
    const letters = set.map(([letter]) => letter).join('');
    const values = Object.assign({ status: 'delivered' }, ...set.map(([, value]) => value)) as object;
    const query = readArguments(icmMessageListArguments, { network: 'mainnet', ...values });
    expect(await indexesOf((storage) => icmMessageList.read(storage, query, request))).toEqual([
      `icm_message_${letters === '' ? '' : `${letters}_`}status_time_idx`,
    ]);
  });

  test('the list of an EVM address', async () => {
    const query = { ...party, ...readArguments(partyMessageArguments, {}) };
    expect(await indexesOf((storage) => partyMessageList.read(storage, query, request))).toEqual([
      'icm_message_dt_time_idx',
      'icm_message_sf_time_idx',
    ]);
  });

  test('and one of chains the list of an EVM address, whatever the number of chains', async () => {
    const pool = poolOf(gateway.storage);
    await insertChains(pool, 20_000, 'subnet');
    // Senders choose the ids of destinations, so that there are as many as anybody likes.
    await pool.query(
      `INSERT INTO icm_chain (network, blockchain_id, evm_chain_id)
       SELECT 'mainnet', 'anything ' || i, 0 FROM generate_series(1, 40000) i`,
    );
    await pool.query('ANALYZE chain, icm_chain');
    const query = { ...party, ...readArguments(partyMessageArguments, {}) };
    const read = (storage: Storage) => partyMessageList.read(storage, query, request);
    const { buffers, indexes } = await touchedByReading(gateway.storage, read, 'generic');
    expect(indexes).toContain('chain_evm_chain_id_key');
    // All chains are 300 blocks, and those of messages as many again.
    expect(buffers).toBeLessThan(200);
  });

  test('the list of a transaction', async () => {
    const query = readArguments(icmMessageListArguments, { txHash: hashAt(1) });
    expect(await indexesOf((storage) => icmMessageList.read(storage, query, request))).toEqual([
      'icm_message_destination_tx_idx',
      'icm_message_source_tx_idx',
    ]);
  });

  test('a message by its id', async () => {
    const keys = [{ network: 'mainnet', messageId: hashAt(1).slice(2) }] as const;
    expect(await indexesOf((storage) => findIcmMessages(storage, keys))).toEqual([
      'icm_message_network_message_id_key',
    ]);
  });

  test('one of these at least: there is none that no statement needs', async () => {
    const { rows } = await poolOf(gateway.storage).query<{ name: string }>(
      `SELECT indexrelid::regclass::text AS name FROM pg_index
       WHERE indrelid = 'icm_message'::regclass AND NOT indisprimary ORDER BY 1`,
    );
    expect([...used].sort()).toEqual(rows.map(({ name }) => name).sort());
  });
});
