import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compositeBodyExample } from '../../src/resources/composite-query/request-body.js';
import { createApp, type TestApp } from '../harness/app.js';
import { askTwice } from '../harness/ask.js';
import { postComposite } from '../harness/composite.js';
import { repeatable } from '../harness/repeatable-tokens.js';
import { readSample } from '../harness/sample.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({}, { sample: true, tokens: repeatable });
});
afterAll(() => gateway.close());

interface Page {
  edges: { cursor: string }[];
  pageInfo: Record<'startCursor' | 'endCursor', string | null> &
    Record<'hasNextPage' | 'hasPreviousPage', boolean>;
  totalCount?: number;
}
interface Data {
  list?: Page;
  of?: { list: Page };
}

const { allUtxos, rowsOf } = readSample();
const [{ addresses, assetId }] = allUtxos as unknown as [{ addresses: string[]; assetId: string }];
const owner = addresses[0] as string;
const [frame] = rowsOf<{ from: { address: string } }>('evm.43113.internal-transactions');
const primary = '11111111111111111111111111111111LpoYY';

// The % is replaced by further arguments and the selection.
const ofChain = 'network: fuji, blockchainId: "p-chain"';
const ofAddress = `of: address(network: fuji, address: "${owner}") { list:`;
const utxos = `list: utxos(${ofChain}, %`;
const transactions = `list: transactions(network: fuji, %`;

const info = 'pageInfo { startCursor endCursor hasNextPage hasPreviousPage }';
const documentOf = (field: string, args: string, more = '') =>
  `{ ${field.replace('%', `${args}) { edges { cursor } ${info} ${more}}`)} }`;
const pageIn = ({ list, of }: Data) => (list ?? of?.list) as Page;

/**
 * The page, each document sent twice: one that was seen before is answered by one statement, unless it
 * counts.
 */
async function pageOf(field: string, args: string): Promise<Page> {
  const page = pageIn(await askTwice<Data>(gateway, documentOf(field, args)));
  const counted = pageIn(await askTwice<Data>(gateway, documentOf(field, args, 'totalCount ')));
  expect(counted).toEqual({ ...page, totalCount: expect.any(Number) });
  return counted;
}

describe('an empty list of a filter matches nothing', () => {
  const nothing = {
    edges: [],
    pageInfo: { startCursor: null, endCursor: null, hasNextPage: false, hasPreviousPage: false },
    totalCount: 0,
  };

  test.each([
    [utxos, 'addresses: []'],
    [utxos, 'addresses: [" ", ""]'],
    [utxos, 'addresses: [], includeSpent: true, sortBy: amount, sortOrder: asc, last: 3'],
    [utxos, 'addresses: [], state: SPENDABLE, at: 5, multiSignature: true'],
    [utxos, 'addresses: [], minUtxoAmount: 1'],
    [transactions, 'addresses: []'],
    [transactions, 'addresses: [], txTypes: [BaseTx], since: 1'],
    [transactions, `addresses: [], blockchainId: "p-chain", subnetId: "${primary}", startBlock: 1`],
    [transactions, 'blockchainId: "p-chain", txTypes: []'],
    [transactions, 'blockchainId: "p-chain", txTypes: [], txType: BaseTx, first: 0'],
    [transactions, `addresses: ["${owner}"], txTypes: []`],
    [`${ofAddress} transactions(% }`, 'txTypes: []'],
    [`of: subnet(network: fuji, subnetId: "${primary}") { list: transactions(% }`, 'txTypes: [], until: 9'],
    [`of: asset(network: fuji, assetId: "${assetId}") { list: utxos(% }`, 'addresses: []'],
  ])('%s: %s', async (field, args) => {
    expect(await pageOf(field, args)).toEqual(nothing);
    const [, name = '', list = ''] = /(addresses|txTypes): (\[[" ,]*\])/.exec(args) ?? [];
    const type = name === 'txTypes' ? '[TxType!]' : '[String!]';
    const text = `query Q($given: ${type}) ${documentOf(field, args.replace(list, '$given'))}`;
    for (let time = 0; time < 2; time += 1) {
      const { data, errors } = await gateway.graphql<Data>(text, { given: JSON.parse(list) as unknown });
      expect(errors).toBeUndefined();
      expect(pageIn(data).edges).toEqual([]);
    }
  });

  test('of the past too, where no list has a count', async () => {
    const past = await askTwice<Data>(gateway, documentOf(utxos, 'addresses: [], asOf: { block: 9 }'));
    expect({ ...pageIn(past), totalCount: 0 }).toEqual(nothing);
  });

  test.each([
    [utxos, 'addresses', '[String!]'],
    [transactions.replace('%', 'blockchainId: "p-chain", %'), 'txTypes', '[TxType!]'],
  ])('where %s has none, or null, it is of everything: %s', async (field, name, type) => {
    const text = `query Q($given: ${type}) ${documentOf(field, `${name}: $given`)}`;
    for (const variables of [{}, { given: null }, {}, { given: null }]) {
      const { data } = await gateway.graphql<Data>(text, variables);
      expect(pageIn(data).edges).toHaveLength(10);
    }
  });

  test('and has no tokens: one of everything is of another list', async () => {
    const { pageInfo } = await pageOf(utxos, 'first: 1');
    const { errors } = await gateway.graphql(
      documentOf(utxos, `addresses: [], after: "${pageInfo.endCursor}"`),
    );
    expect(errors?.[0]?.message).toMatch(/^after: .* was not issued here for this list/);
  });

  test('no ids are no nodes', async () => {
    expect(await askTwice(gateway, '{ nodes(ids: []) { id } }')).toEqual({ nodes: [] });
  });
});

test.each([
  'icmMessages(from: "")',
  'icmMessages(to: "", sourceBlockchainId: "")',
  'utxos(network: fuji, blockchainId: "x-chain", assetId: "")',
  `transactions(${ofChain}, nodeId: "")`,
  'transactions(network: fuji, blockchainId: "")',
  'vertices(network: fuji, blockchainId: "")',
  'internalTransactions(chainId: "43113", txHash: "")',
])('an empty text is no filter that is left out: %s', async (field) => {
  const { errors } = await gateway.graphql(`{ ${field} { edges { cursor } } }`);
  expect(errors?.[0]?.extensions['code']).toBe('BAD_USER_INPUT');
  expect(errors?.[0]?.message).toContain('""');
});

describe('a page of no rows tells where it stands', () => {
  const everybody = '{ latestBalance: { id: "a", evmChainId: "43113", tokenType: NATIVE, minBalance: 0 } }';

  test.each([
    utxos,
    `list: utxos(${ofChain}, addresses: ["${owner}"], includeSpent: true, %`,
    transactions.replace('%', 'blockchainId: "p-chain", %'),
    'list: vertices(network: fuji, %',
    'list: icmMessages(%',
    'list: chains(%',
    'list: subnets(network: fuji, %',
    'list: validators(network: fuji, %',
    'list: assets(network: fuji, %',
    'list: internalTransactions(chainId: "43113", %',
    `list: compositeQuery(operator: OR, queries: [${everybody}], %`,
    `${ofAddress} transactions(% }`,
    `${ofAddress} utxos(blockchainId: "p-chain", includeSpent: true, % }`,
    `of: evmAddress(chainId: "43113", address: "${frame?.from.address}") { list: internalTransactions(% }`,
  ])('%s', async (list) => {
    const empty = { edges: [], startCursor: null, endCursor: null };
    const stands = async (args: string) => {
      const { edges, pageInfo } = await pageOf(list, args);
      const { hasNextPage, hasPreviousPage, ...cursors } = pageInfo;
      expect({ edges, ...cursors }).toEqual(empty);
      return { hasNextPage, hasPreviousPage };
    };
    const all = await pageOf(list, 'first: 100');
    expect(all.totalCount).toBeGreaterThan(1);
    expect((await pageOf(list, 'first: 0')).totalCount).toBe(all.totalCount);
    expect(await stands('first: 0')).toEqual({ hasNextPage: true, hasPreviousPage: false });
    expect(await stands('last: 0')).toEqual({ hasNextPage: false, hasPreviousPage: true });
    const first = all.edges[0]?.cursor;
    expect(await stands(`first: 0, after: "${first}"`)).toEqual({ hasNextPage: true, hasPreviousPage: true });
    expect(await stands(`last: 0, before: "${first}"`)).toEqual({
      hasNextPage: true,
      hasPreviousPage: false,
    });
    if (all.pageInfo.hasNextPage) return;
    const last = all.edges.at(-1)?.cursor;
    expect(await stands(`first: 0, after: "${last}"`)).toEqual({ hasNextPage: false, hasPreviousPage: true });
  });

  test('also in the rows of another list', async () => {
    const text = `{ list: transactions(${ofChain}, first: 5) { nodes {
      none: emittedUtxos(first: 0) { nodes { utxoId } ${info} } one: emittedUtxos(first: 1) { nodes { utxoId } } } } }`;
    type Rows = { list: { nodes: { none: Page; one: { nodes: unknown[] } }[] } };
    for (const { none, one } of (await askTwice<Rows>(gateway, text)).list.nodes)
      expect(none).toEqual({
        nodes: [],
        pageInfo: {
          startCursor: null,
          endCursor: null,
          hasPreviousPage: false,
          hasNextPage: one.nodes.length > 0,
        },
      });
  });

  test('of fewer rows than none there is no page, and in REST each page has rows', async () => {
    for (const given of ['first: -1', 'last: -1']) {
      const { errors } = await gateway.graphql(`{ icmMessages(${given}) { edges { cursor } } }`);
      expect(errors?.[0]?.message).toBe(`${given} is not allowed; it must be 0 to 100`);
    }
    expect((await gateway.get('/v1/icm/messages?pageSize=0')).status).toBe(400);
    expect((await postComposite(gateway, { ...compositeBodyExample, pageSize: 0 })).status).toBe(400);
  });
});
