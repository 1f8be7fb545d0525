import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse, visit, type DocumentNode } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recipesPage } from '../../bin/recipes-page.js';
import { recipes } from '../../src/recipes/recipes.js';
import { createApp, type TestApp } from '../harness/app.js';
import { runImport } from '../harness/ingest.js';
import { hasRealData, realData } from '../harness/seed.js';
import { countStatements } from '../harness/statements.js';

/** What stands between a list and its rows, and is read with them. */
const wrappers = new Set(['edges', 'nodes', 'node', 'pageInfo']);

/** How many lists and rows a document selects, however many rows they have. */
function selectedBy(document: DocumentNode): number {
  let selected = 0;
  visit(document, {
    Field(field) {
      if (field.selectionSet && !wrappers.has(field.name.value)) selected += 1;
    },
  });
  return selected;
}

/** Has everything that a recipe is about, and no list that is empty at its root. */
function expectAnswer(data: Record<string, unknown>): void {
  const [root] = Object.values(data);
  expect(root).not.toBeNull();
  expect(JSON.stringify(root)).not.toMatch(/^\{"(nodes|edges)":\[\]/);
}

test('docs/recipes.md is what the recipes say (npm run recipes writes it)', () => {
  expect(readFileSync(new URL('../../docs/recipes.md', import.meta.url), 'utf8')).toBe(recipesPage());
});

describe('on the sample', () => {
  let gateway: TestApp;
  beforeAll(async () => {
    gateway = await createApp({}, { sample: true });
  });
  afterAll(() => gateway?.close());

  test.each(recipes.map((recipe) => [recipe.question, recipe] as const))(
    '%s: an answer, with at most one statement for each list and row that it selects',
    async (_question, { document, variables }) => {
      // The first time by the executor, the second time by one statement where the document allows it.
      for (const time of [1, 2]) {
        const { result, statements } = await countStatements(() => gateway.graphql(document, variables));
        expect(result.errors, `time ${time}`).toBeUndefined();
        expectAnswer(result.data);
        expect(statements.length).toBeLessThanOrEqual(selectedBy(parse(document)));
      }
    },
  );

  test('a trace of funds arrives at the transactions that are two hops back', async () => {
    const trace = recipes.find(({ document }) => document.includes('TraceOfFunds'));
    const { data } = await gateway.graphql(trace?.document ?? '', trace?.variables);
    type Hop = { consumedUtxos: { nodes: { creatingTransaction: Hop }[] }; txHash: string };
    const [first] = (data.transaction as Hop).consumedUtxos.nodes;
    const [second] = first?.creatingTransaction.consumedUtxos.nodes ?? [];
    expect(second?.creatingTransaction.txHash).toMatch(/^[1-9A-HJ-NP-Za-km-z]{40,}$/);
  });

  test('a block has its transactions, and stands between two blocks that have theirs', async () => {
    const recipe = recipes.find(({ document }) => document.includes('BlockAndNeighbours'));
    const { data } = await gateway.graphql(recipe?.document ?? '', recipe?.variables);
    type Contents = { number: string; transactions: { nodes: unknown[] } };
    const { previous, next, ...block } = data.block as Contents & { previous: Contents; next: Contents };
    expect(block.transactions.nodes.length).toBeGreaterThan(1);
    for (const each of [previous, next]) expect(each.transactions.nodes).not.toEqual([]);
    const numbers = [previous, block, next].map(({ number }) => Number(number));
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  });
});

describe.skipIf(!hasRealData)('on real data', () => {
  let gateway: TestApp;
  beforeAll(async () => {
    gateway = await createApp();
    const files = [
      'mainnet.p-chain.transactions.ndjson.gz',
      'mainnet.x-chain.transactions.ndjson.gz',
      'evm.chains.ndjson',
      'mainnet.icm.messages.ndjson',
    ];
    await runImport(
      gateway.storage,
      files.map((file) => fileURLToPath(new URL(file, realData))),
    );
  });
  afterAll(() => gateway?.close());

  test.each(recipes.map((recipe) => [recipe.question, recipe] as const))(
    '%s: an answer within the default limits, with at most one statement for each list and row that it selects',
    async (_question, { document, variables }) => {
      const given = await realVariables(gateway, variables);
      for (const time of [1, 2]) {
        const { result, statements } = await countStatements(() => gateway.graphql(document, given));
        expect(result.errors, `time ${time}`).toBeUndefined();
        // No metrics of a subnet are among the real data.
        if (!('subnetMetric' in result.data)) expectAnswer(result.data);
        expect(statements.length).toBeLessThanOrEqual(selectedBy(parse(document)));
      }
    },
  );
});

/** The variables of a recipe with names that the real data hold in place of the sample's. */
async function realVariables(gateway: TestApp, variables: Record<string, unknown>) {
  const { data } = await gateway.graphql<{
    transactions: {
      nodes: { txHash: string; blockNumber: string; emittedUtxos: { nodes: { addresses: string[] }[] } }[];
    };
    icmMessages: { nodes: { from: string }[] };
    validators: { nodes: { nodeId: string }[] };
  }>(
    `{ transactions(network: mainnet, blockchainId: "p-chain", txType: ImportTx, first: 1) { nodes { txHash blockNumber emittedUtxos(first: 1) { nodes { addresses } } } }
       icmMessages(network: mainnet, first: 1) { nodes { from } }
       validators(network: mainnet, first: 1) { nodes { nodeId } } }`,
  );
  const [transaction] = data.transactions.nodes;
  const address = transaction?.emittedUtxos.nodes[0]?.addresses[0];
  const real: Record<string, unknown> = {
    network: 'mainnet',
    address,
    addresses: [address],
    txHash: transaction?.txHash,
    number: transaction?.blockNumber,
    nodeId: data.validators.nodes[0]?.nodeId,
    contract: data.icmMessages.nodes[0]?.from,
  };
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, real[name] ?? value]));
}
