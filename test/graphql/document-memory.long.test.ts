import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { manyOperations } from '../harness/attack-documents.js';
import { countStatements } from '../harness/statements.js';

const MIB = 2 ** 20;
const BUDGET = 8;
/** How much of it each cache may use, bytes. */
const limits = { documents: (BUDGET * MIB * 6) / 8, introspection: (BUDGET * MIB) / 8 };
type Cache = keyof typeof limits;

// A gateway for each test: on Node 24 the heap is 3 % below the estimate for one kind of document and 24 %
// above it for another, so that evicting one kind for the other changes the heap while the estimate stays.
let gateway: TestApp;
beforeEach(async () => {
  gateway = await createApp({ DOCUMENT_CACHE_MB: String(BUDGET) });
});
afterEach(() => gateway.close());

async function ask(query: string, operationName?: string, variables?: object): Promise<void> {
  const body = JSON.stringify({ query, operationName, variables });
  const reply = await gateway.post('/graphql', { 'content-type': 'application/json' }, body);
  expect(reply.body.errors).toBeUndefined();
}

async function metric(name: string, cache: Cache = 'documents'): Promise<number> {
  const { text } = await gateway.get('/metrics');
  return Number(new RegExp(`${name}\\{cache="${cache}"\\} (\\d+)`).exec(text)?.[1]);
}

function heap(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let times = 0; times < 4; times += 1) collect();
  return process.memoryUsage().heapUsed;
}

/** Adds documents with `fill`, and compares the estimate of their memory with the heap. */
async function expectWithinBudget(
  fill: (note: string) => Promise<void>,
  cache: Cache = 'documents',
): Promise<void> {
  await fill('warm');
  const [heapBefore, estimatedBefore] = [heap(), await metric('moraine_cache_bytes', cache)];
  for (let document = 0; document < 24; document += 1) await fill(`attack${document}`);
  const grown = heap() - heapBefore;
  const estimated = await metric('moraine_cache_bytes', cache);
  expect(estimated).toBeLessThanOrEqual(limits[cache]);
  // Nearly full: another document like these would evict others.
  expect(estimated).toBeGreaterThan(0.7 * limits[cache]);
  expect(grown).toBeLessThan(1.3 * (estimated - estimatedBefore) + 2 * MIB);
}

test('what is remembered of documents of 290 operations keeps to its bytes, and so does the heap', () =>
  expectWithinBudget(async (note) => {
    const text = manyOperations(note);
    for (let operation = 0; operation < 24; operation += 1) await ask(text, `q${operation}`);
  }));

test('so it does with variants of an operation, the costs of their values and the longest names', () =>
  expectWithinBudget(async (note) => {
    const text = `query ($a: Int, $b: Boolean!, ${`$${'n'.repeat(3000)}${note}`}: Boolean = true) { utxos(network: fuji, blockchainId: "p-chain", first: $a)
      { nodes { utxoId amount @include(if: $b) ${'creatingTransaction{txHash txType} '.repeat(20)} asset { name @include(if: $${'n'.repeat(3000)}${note}) } } } }`;
    for (let first = 1; first <= 12; first += 1) await ask(text, undefined, { a: first, b: first % 2 === 0 });
  }));

test('so it does with answers to introspection', () =>
  expectWithinBudget(async (note) => {
    const types = 'types { name description fields { name description args { name description } } }';
    await ask(`query ${note} { __schema { ${types} } }`, note);
  }, 'introspection'));

test('of 290 operations of one document a few are answered by one statement, the others as if they were new', async () => {
  const text = manyOperations('few');
  await ask(text, 'q0');
  const prepared = [];
  for (let operation = 0; operation < 12; operation += 1) {
    const { names } = await countStatements(() => ask(text, `q${operation}`));
    prepared.push(names.some((name) => name.startsWith('operation:')));
  }
  expect(prepared.slice(0, 4)).toEqual([true, true, true, true]);
  expect(prepared.slice(8)).toEqual([false, false, false, false]);
});

test('a document that is refused takes no memory', async () => {
  const before = await metric('moraine_cache_entries');
  await gateway.graphql('{ nope } # never');
  await gateway.graphql('{ nope } # never');
  expect(await metric('moraine_cache_entries')).toBe(before);
});
