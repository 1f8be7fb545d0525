import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blockchainIds } from '../../../src/avalanche/networks.js';
import type { TransactionLine } from '../../../src/resources/transaction/import-row.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { effectOn, effectSelection, type Effect } from '../../harness/history-effects.js';
import { chains, newestFirst, readSample } from '../../harness/sample.js';
import { countStatements } from '../../harness/statements.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({ MAX_COST: '1000000' }, { sample: true });
});
afterAll(() => gateway?.close());

/** A transaction in a history. */
interface Entry {
  txHash: string;
  blockchainId: string;
  effect: Effect;
}

const sample = readSample();
const all = chains.flatMap((chain) =>
  sample.transactionsOf(chain).map((row) => ({ row, blockchainId: blockchainIds.fuji[chain] })),
);
const partiesOf = ({ consumedUtxos, emittedUtxos }: TransactionLine) =>
  [...consumedUtxos, ...emittedUtxos].flatMap(({ addresses }) => addresses);
const everybody = [...new Set(all.flatMap(({ row }) => partiesOf(row)))].sort();

/** The history of addresses by checking every transaction. */
function naive(addresses: readonly string[]): Entry[] {
  return all
    .filter(({ row }) => partiesOf(row).some((owner) => addresses.includes(owner)))
    .sort((a, b) => newestFirst(a.row, b.row))
    .map(({ row, blockchainId }) => ({
      txHash: row.txHash,
      blockchainId,
      effect: effectOn(row, addresses),
    }));
}

interface Page {
  edges: { node: Omit<Entry, 'effect'>; effect: Effect }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

/**
 * A history page by page.
 *
 * @param field the list with its arguments but the paging ones, left open
 * @param within wraps it into `of`
 */
async function walk(field: string, within: ((list: string) => string) | null): Promise<Entry[]> {
  const found: Entry[] = [];
  let after: string | null = null;
  do {
    const list: string = `${field}first: 100, after: ${JSON.stringify(after)}) {
      edges { node { txHash blockchainId } effect { ${effectSelection} } } pageInfo { hasNextPage endCursor } }`;
    const { data, errors } = await gateway.graphql<{ of: { list: Page }; list: Page }>(
      `{ ${within ? within(`list: ${list}`) : `list: ${list}`} }`,
    );
    expect(errors).toBeUndefined();
    const { edges, pageInfo } = within ? data.of.list : data.list;
    found.push(...edges.map(({ node, effect }) => ({ ...node, effect })));
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after !== null);
  return found;
}

describe('in the sample', () => {
  test('the history of every address, and what each transaction did to it, is what a look at all transactions gives', async () => {
    expect(everybody.length).toBeGreaterThan(50);
    for (const address of everybody) {
      const found = await walk(
        'transactions(',
        (list) => `of: address(network: fuji, address: "${address}") { ${list} }`,
      );
      expect(found).toEqual(naive([address]));
    }
  });

  test('so is the history of several addresses, taken as one owner', async () => {
    for (const addresses of [everybody.slice(0, 20), everybody.slice(20, 23), everybody]) {
      const field = `transactions(network: fuji, addresses: ${JSON.stringify(addresses)}, `;
      expect(await walk(field, null)).toEqual(naive(addresses));
    }
  });

  test('effects of every kind are met', () => {
    const effects = everybody.flatMap((address) => naive([address]).map(({ effect }) => effect));
    const amounts = effects.flatMap(({ assets }) => assets);
    expect(new Set(effects.map(({ signedAlone }) => signedAlone))).toEqual(new Set([true, false, null]));
    // An export of the C-chain takes from accounts: what it consumes is known to be nothing.
    const exported = readSample()
      .transactionsOf('c')
      .filter(({ evmInputs }) => evmInputs?.length);
    expect(exported.length).toBeGreaterThan(0);
    expect(amounts.some(({ sent, fee }) => sent === null && fee === null)).toBe(true);
    expect(new Set(amounts.map(({ asset }) => asset.assetId)).size).toBeGreaterThan(2);
  });
});

test('what the transactions of a page did is one statement more, whatever its size', async () => {
  const list = (first: number) => `transactions(first: ${first}) { edges { effect { ${effectSelection} } } }`;
  for (const first of [1, 100]) {
    const owners = `{ utxos(network: fuji, blockchainId: "p-chain", first: 5) { nodes { owners { ${list(first)} } } } }`;
    const { result, statements } = await countStatements(() => gateway.graphql(owners));
    expect(result.errors).toBeUndefined();
    expect(statements).toHaveLength(3);
  }
});

test('an edge of a list that is no history has no effect', async () => {
  const { data } = await gateway.graphql(
    `{ transactions(network: fuji, blockchainId: "p-chain", first: 2) { edges { effect { signedAlone } } } }`,
  );
  expect(data).toEqual({ transactions: { edges: [{ effect: null }, { effect: null }] } });
});
