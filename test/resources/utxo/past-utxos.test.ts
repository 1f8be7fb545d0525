import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LOOKED_AT } from '../../../src/resources/utxo/list.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { poolOf } from '../../harness/connections.js';
import { idOf } from '../../harness/ledger-rows.js';
import {
  importBlocks,
  importPast,
  LAST_BLOCK,
  ofAddress,
  ofQuery,
  pastOutputs,
  pastQuery,
  unspentAt,
  type PastOutput,
  type PastQuery,
} from '../../harness/past-model.js';
import { walkPast } from '../../harness/past-walk.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
});
afterAll(() => gateway.close());

const forget = () =>
  poolOf(gateway.storage).query('TRUNCATE utxo, utxo_owner, address, address_balance, transaction CASCADE');

const load = (outputs: readonly PastOutput[]) => importPast(gateway.storage, outputs);

/** Stores these outputs and transactions of these blocks, and nothing else. */
async function hold(outputs: readonly PastOutput[], blocks: readonly number[] = []): Promise<void> {
  await forget();
  await load(outputs);
  await importBlocks(gateway.storage, blocks);
}

const heldBlocks = fc.subarray(Array.from({ length: LAST_BLOCK }, (_, index) => index + 1));

describe('the outputs unspent at a moment', () => {
  test('are what the events up to it leave, for any histories, moments, filters, sorts, page sizes and directions', async () => {
    await fc.assert(
      fc.asyncProperty(
        pastOutputs('output', 40),
        heldBlocks,
        fc.array(pastQuery, { minLength: 6, maxLength: 12 }),
        async (outputs, held, queries) => {
          await hold(outputs, held);
          for (const query of queries) {
            const { seen } = await walkPast(gateway, query, ofQuery(query));
            expect(seen).toEqual(unspentAt(outputs, query, held));
            if (query.addresses?.length !== 1) continue;
            expect((await walkPast(gateway, query, ofAddress(query))).seen).toEqual(seen);
          }
        },
      ),
      { numRuns: 12 },
    );
  });

  test('are each met once, and none of those that were there at the start is missed, while outputs are added', async () => {
    await fc.assert(
      fc.asyncProperty(
        pastOutputs('first', 40),
        pastOutputs('later', 30),
        heldBlocks,
        pastQuery,
        async (outputs, added, held, query) => {
          await hold(outputs, held);
          const waiting = [...added];
          const { seen } = await walkPast(gateway, query, ofQuery(query), () => load(waiting.splice(0, 5)));
          const expected = unspentAt(outputs, query, held);
          expect(seen.filter((each) => expected.includes(each))).toEqual(expected);
          expect(new Set(seen).size).toBe(seen.length);
          const all = unspentAt([...outputs, ...added], query, held);
          expect(seen.filter((each) => !all.includes(each))).toEqual([]);
        },
      ),
      { numRuns: 12 },
    );
  });

  test('now are those that the list shows without a moment, where it is known when each was spent', async () => {
    const [outputs] = fc.sample(pastOutputs('output', 80, 80), { numRuns: 1, seed: 7 });
    await hold(outputs ?? []);
    const now = {
      ...fc.sample(pastQuery, { numRuns: 1, seed: 7 })[0],
      chain: 'p',
      assetId: null,
      addresses: null,
      pageSize: 100,
    } as PastQuery;
    const { seen } = await walkPast(gateway, now, ofQuery({ ...now, asOf: { time: 4_000_000_000 } }));
    const present = ofQuery(now)('').replace(/, asOf: \{[^}]*\}, $/, ', first: 100) { nodes { utxoId } }');
    const { data } = await gateway.graphql<{ list: { nodes: { utxoId: string }[] } }>(`{ ${present} }`);
    expect(data.list.nodes.map(({ utxoId }) => utxoId)).toEqual(seen);
    expect(seen.length).toBeGreaterThan(10);
  });

  test('are the same where pages pass over more rows than they look at', async () => {
    const [made = []] = fc.sample(pastOutputs('output', 3 * LOOKED_AT, 3 * LOOKED_AT), {
      numRuns: 1,
      seed: 11,
    });
    // Most of them are unspent at no time, or at few.
    const outputs = made.map((each, index) =>
      index % 20 === 0 ? each : { ...each, staked: false, consumingTxHash: idOf(`spender ${index}`) },
    );
    const held = [2, 3, 9, 14];
    await hold(outputs, held);
    let short = 0;
    await fc.assert(
      fc.asyncProperty(pastQuery, async (query) => {
        const { seen, sizes } = await walkPast(gateway, { ...query, pageSize: 100 }, ofQuery(query));
        expect(seen).toEqual(unspentAt(outputs, query, held));
        short += sizes.slice(0, -1).filter((size) => size < 100).length;
      }),
      // Of other queries it may be that none passes over so many.
      { numRuns: 25, seed: 11 },
    );
    expect(short).toBeGreaterThan(0);
  });
});
