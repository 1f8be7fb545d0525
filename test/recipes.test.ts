import { readFileSync } from 'node:fs';
import {
  getNamedType,
  isObjectType,
  Kind,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type SelectionSetNode,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readRecipes } from '../src/recipes.js';
import { buildSchema } from '../src/schema.js';
import { createApp, type TestApp } from './harness/app.js';
import { factsOfSample } from './harness/question-facts.js';
import { questions } from './harness/questions.js';
import { realFilling } from './harness/real-data.js';
import { recipes } from './harness/recipes.js';
import { repeatable } from './harness/repeatable-tokens.js';
import { hasRealData } from './harness/seed.js';
import { countStatements } from './harness/statements.js';

const schema = buildSchema();

/**
 * The lists, edges and counts of a document, each of which may need a read, and how deep lists and edges are
 * nested.
 */
interface Nesting {
  reads: number;
  levels: number;
}

/**
 * Embedded objects and what is between a list and its rows do not count: they are read with the row, or the
 * list.
 */
function nestingOf(document: DocumentNode): Nesting {
  const fragments = new Map(
    document.definitions.flatMap((each) =>
      each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each]] : [],
    ),
  );
  const look = (type: GraphQLNamedType, set: SelectionSetNode, isWrapper: boolean): Nesting => {
    const found = set.selections.map((each): Nesting => {
      if (each.kind === Kind.INLINE_FRAGMENT) return look(type, each.selectionSet, isWrapper);
      if (each.kind === Kind.FRAGMENT_SPREAD)
        return look(type, fragments.get(each.name.value)!.selectionSet, isWrapper);
      const name = each.name.value;
      if (name === 'totalCount') return { reads: 1, levels: 0 };
      // What a search reads, bounded-search.test.ts says.
      if (name === 'search') return { reads: Infinity, levels: Infinity };
      const inner = getNamedType((type as GraphQLObjectType).getFields()[name]!.type);
      if (!each.selectionSet) return { reads: 0, levels: 0 };
      const isRow = isNode(inner) || ['PrimaryChainStatus', 'SubnetTotals'].includes(inner.name);
      const isRead = !isWrapper && (inner.name.endsWith('Connection') || isRow);
      const below = look(inner, each.selectionSet, /(Connection|Edge)$/.test(inner.name));
      return { reads: below.reads + Number(isRead), levels: below.levels + Number(isRead) };
    });
    return {
      reads: found.reduce((sum, { reads }) => sum + reads, 0),
      levels: Math.max(...found.map(({ levels }) => levels)),
    };
  };
  const [operation] = document.definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
  return look(schema.getQueryType()!, operation!.selectionSet, false);
}

const isNode = (type: GraphQLNamedType) =>
  isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Node');

/**
 * Sends a recipe as published, whose document is cached from the start, and again: at most one statement for
 * each level. Then as a client's own text, which the plain executor answers the first time: it reads once for
 * each list and edge.
 */
async function askRecipe(gateway: TestApp, document: string, variables: object) {
  const { reads, levels } = nestingOf(parse(document));
  const ask = async (text: string, most: number) => {
    const { result, statements } = await countStatements(() => gateway.graphql(text, variables));
    expect(result.errors).toBeUndefined();
    expect(statements.length).toBeLessThanOrEqual(most);
    return result.data;
  };
  const data = await ask(document, levels);
  expect(await ask(document, levels)).toEqual(data);
  expect(await ask(`${document} # ${JSON.stringify(variables)}`, reads)).toEqual(data);
  return data;
}

/** The places in data of lists without a row. */
function emptyLists(data: unknown, path: string[] = []): string[] {
  if (data === null || typeof data !== 'object') return [];
  return Object.entries(data).flatMap(([name, value]) => {
    const isList = name === 'nodes' || name === 'edges';
    if (isList && (value as unknown[]).length === 0) return [path.join('.')];
    // Rows of a list are at the list's place.
    return emptyLists(value, isList || /^\d+$/.test(name) ? path : [...path, name]);
  });
}

/** Has all objects of a recipe, and no empty list at its root. */
function expectAnswer(data: Record<string, unknown>): void {
  const [root] = Object.values(data);
  expect(root).not.toBeNull();
  expect(JSON.stringify(root)).not.toMatch(/^\{"(nodes|edges)":\[\]/);
}

test('every document of docs/recipes.md is offered, under its heading', () => {
  const page = readFileSync(new URL('../docs/recipes.md', import.meta.url), 'utf8');
  const examples = readRecipes().flatMap((group) => group.examples);
  expect(examples.map(({ title }) => `### ${title}`)).toEqual(page.match(/^### .*$/gm));
  expect(examples.map(({ query }) => query).join('')).toBe(
    [...page.matchAll(/```graphql\n([^]*?)\n```/g)].map(([, query]) => query).join(''),
  );
});

test('the answer to each question is checked', () => {
  expect(recipes.map(({ name }) => name).filter((name) => !questions[name])).toEqual([]);
});

test('every kind of row that the query lists for everybody is read by a document', () => {
  const read = new Set<string>();
  for (const { query } of readRecipes().flatMap((group) => group.examples)) {
    const info = new TypeInfo(schema);
    const note = () => void read.add(String(getNamedType(info.getType()!)));
    visit(parse(query), visitWithTypeInfo(info, { Field: note }));
  }
  const fields = Object.values(schema.getQueryType()!.getFields());
  const lists = fields.filter(({ type }) => getNamedType(type).name.endsWith('Connection'));
  const unread = lists.filter(({ type }) => !read.has(getNamedType(type).name));
  // Webhooks belong to an API key.
  expect(unread.map(({ name }) => name)).toEqual(['webhooks']);
});

describe('on the sample', () => {
  let gateway: TestApp;
  beforeAll(async () => {
    gateway = await createApp({}, { sample: true, tokens: repeatable });
  });
  afterAll(() => gateway?.close());

  test.each(recipes.map((recipe) => [recipe.question, recipe] as const))(
    '%s: an answer, with at most one statement for each level, the first time and later',
    async (_question, { document, variables }) => {
      expectAnswer(await askRecipe(gateway, document, variables));
    },
  );

  test.each(recipes.map((recipe) => [recipe.question, recipe] as const))(
    '%s: what a look at all of the sample gives',
    async (_question, { name, document, variables }) => {
      const { data } = await gateway.graphql(document, variables);
      questions[name]!.check(data, factsOfSample(), variables, Math.floor(gateway.clock.now / 1000));
    },
  );
});

describe.skipIf(!hasRealData)('on real data', () => {
  let gateway: TestApp;
  beforeAll(async () => {
    gateway = await createApp({}, { filling: realFilling, tokens: repeatable });
  });
  afterAll(() => gateway?.close());

  test.each(recipes.map((recipe) => [recipe.question, recipe] as const))(
    '%s: an answer within the default limits, with at most one statement for each level, the first time and later',
    async (_question, { document, variables }) => {
      const given = await realVariables(gateway, variables);
      const data = await askRecipe(gateway, document, given);
      expect(emptyLists(data).filter((each) => !notAmongTheData.has(each))).toEqual([]);
      expect(Object.values(data)).not.toContain(null);
    },
  );
});

/** Lists for which the real data have nothing. */
const notAmongTheData = new Set([
  'subnetMetric',
  // The chain of the recipe has none.
  'chain.messageDays',
  'validator.rewards',
  // Who stakes now is known of a network that is followed.
  'validatorStakes',
  'subnet.currentValidators',
  'subnet.currentL1Validators',
  'address.pendingRewards',
  'address.locked',
  'address.stakeable',
  'address.rewardTransactions',
]);

/** The variables of a recipe with names of the real data instead of the sample's. */
async function realVariables(gateway: TestApp, variables: Record<string, unknown>) {
  type Rows<Row> = { nodes: Row[] };
  const { data } = await gateway.graphql<{
    transactions: Rows<{ txHash: string; blockNumber: string; emittedUtxos: Rows<{ addresses: string[] }> }>;
    delegations: Rows<{ validator: { nodeId: string; stakingPeriods: Rows<unknown> } | null }>;
    utxos: Rows<{ addresses: string[]; staked: boolean }>;
    icmMessages: Rows<{ from: string }>;
    held: Rows<{ asset: { assetId: string } }>;
    subnets: Rows<{ subnetId: string }>;
  }>(
    `{ transactions(network: mainnet, blockchainId: "p-chain", txTypes: [ImportTx], first: 1) { nodes { txHash blockNumber emittedUtxos(first: 1) { nodes { addresses } } } }
       delegations: transactions(network: mainnet, blockchainId: "p-chain", txTypes: [AddDelegatorTx]) {
         nodes { validator { nodeId stakingPeriods(first: 1) { nodes { txHash } } } } }
       utxos(network: mainnet, blockchainId: "p-chain", sortOrder: asc, first: 100) { nodes { addresses staked } }
       icmMessages(network: mainnet, first: 1) { nodes { from } }
       held: utxos(network: mainnet, blockchainId: "x-chain", first: 1) { nodes { asset { assetId } } }
       subnets(network: mainnet, first: 1) { nodes { subnetId } } }`,
  );
  const [transaction] = data.transactions.nodes;
  const staking = data.delegations.nodes.find(({ validator }) => validator?.stakingPeriods.nodes.length);
  const real: Record<string, unknown> = {
    network: 'mainnet',
    // One of genesis, whose outputs no transaction created, and one that has a history.
    address: data.utxos.nodes.find(({ staked }) => !staked)?.addresses[0],
    addresses: transaction?.emittedUtxos.nodes[0]?.addresses,
    txHash: transaction?.txHash,
    number: transaction?.blockNumber,
    nodeId: staking?.validator?.nodeId,
    contract: data.icmMessages.nodes[0]?.from,
    subnetId: data.subnets.nodes[0]?.subnetId,
    assetId: data.held.nodes[0]?.asset.assetId,
    text: transaction?.txHash,
  };
  for (const name of Object.keys(real)) expect(real[name], name).toBeDefined();
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, real[name] ?? value]));
}
