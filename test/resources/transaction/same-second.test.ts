import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../../harness/app.js';
import { poolOf } from '../../harness/connections.js';
import { importRows } from '../../harness/import-rows.js';
import { addressOf, idOf, transactionRow, utxoRow } from '../../harness/ledger-rows.js';

const SECOND = 1_700_000_000;
const owner = addressOf('anna');
const subnetId = idOf('a subnet');
const nodeId = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg';
const validationId = idOf('a validation');

let gateway: TestApp;
beforeAll(async () => (gateway = await createApp()));
afterAll(() => gateway.close());
beforeEach(() =>
  poolOf(gateway.storage).query(
    'TRUNCATE utxo, transaction, address_transaction, subnet_transaction, validator_transaction, l1_validator_transaction CASCADE',
  ),
);

/** A transaction that every list has. */
function rowOf(blockNumber: number | null, name: string, fields: object = {}): object {
  return transactionRow(name, {
    txType: 'RegisterL1ValidatorTx',
    blockTimestamp: SECOND,
    ...(blockNumber !== null && {
      blockNumber: String(blockNumber),
      blockHash: idOf(`block ${blockNumber}`),
    }),
    subnetId,
    nodeId,
    l1ValidatorDetails: [{ validationId, nodeId, subnetId, weight: 1, remainingBalance: 1 }],
    emittedUtxos: [utxoRow(`of ${name}`, { txHash: idOf(name), addresses: [owner] })],
    ...fields,
  });
}

const ofChain = 'transactions(network: mainnet, blockchainId: "p-chain"';
const of = (parent: string, field: string) => [parent, field] as const;
const lists: [name: string, parent: string | null, field: string, node: string][] = [
  ['of a chain', null, ofChain, 'txHash'],
  ['of a type', null, `${ofChain}, txType: RegisterL1ValidatorTx`, 'txHash'],
  ['of a node', null, `${ofChain}, nodeId: "${nodeId}"`, 'txHash'],
  ['of a subnet of a chain', null, `${ofChain}, subnetId: "${subnetId}"`, 'txHash'],
  ['of a range of blocks', null, `${ofChain}, startBlock: 1, endBlock: 5000`, 'txHash'],
  ...[
    of(`address(network: mainnet, address: "${owner}")`, 'transactions(blockchainId: null'),
    of(`address(network: mainnet, address: "${owner}")`, 'transactions(txType: RegisterL1ValidatorTx'),
    of(`subnet(network: mainnet, subnetId: "${subnetId}")`, 'transactions(txType: null'),
    of(`validator(network: mainnet, nodeId: "${nodeId}")`, 'transactions(txType: null'),
  ].map(([parent, field]): [string, string, string, string] => [
    `${parent} ${field})`,
    parent,
    field,
    'txHash',
  ]),
  [
    'of an L1 validator',
    `l1Validator(network: mainnet, validationId: "${validationId}")`,
    'changes(',
    'transaction { txHash }',
  ],
];

/** Hashes of a list, walked by pages of two. */
async function walk([, parent, field, node]: (typeof lists)[number]): Promise<string[]> {
  const found: string[] = [];
  for (let after = ''; ;) {
    const separator = field.endsWith('(') ? '' : ', ';
    const list = `list: ${field}${separator}first: 2, after: "${after}") { pageInfo { hasNextPage endCursor } nodes { ${node} } }`;
    const { data, errors } = await gateway.graphql<Record<string, any>>(
      `{ ${parent === null ? list : `parent: ${parent} { ${list} }`} }`,
    );
    expect(errors).toBeUndefined();
    const page = (data['parent'] ?? data)['list'] as {
      pageInfo: { hasNextPage: boolean; endCursor: string };
      nodes: { txHash?: string; transaction?: { txHash: string } }[];
    };
    found.push(...page.nodes.map(({ txHash, transaction }) => txHash ?? transaction!.txHash));
    if (!page.pageInfo.hasNextPage) return found;
    after = page.pageInfo.endCursor;
  }
}

const numbers = [1894, 1892, 1890, 1896, 1897];
const newestFirst = numbers.toSorted((a, b) => b - a);

describe.each(lists)('transactions of one second %s', (...list) => {
  test('are listed by the numbers of their blocks', async () => {
    await importRows(
      gateway.storage,
      'mainnet.p-chain.transactions',
      numbers.map((number) => rowOf(number, `in ${number}`)),
    );
    expect(await walk(list)).toEqual(newestFirst.map((number) => idOf(`in ${number}`)));
  });

  test('and of one block are listed by their positions in it', async () => {
    const rows = numbers.map((position) => rowOf(7, `at ${position}`, { position }));
    await importRows(gateway.storage, 'mainnet.p-chain.transactions', [rowOf(8, 'in a later one'), ...rows]);
    const inBlock = newestFirst.map((position) => idOf(`at ${position}`));
    expect(await walk(list)).toEqual([idOf('in a later one'), ...inBlock]);
  });

  test('whose positions become known later are then listed by them', async () => {
    const file = 'mainnet.p-chain.transactions';
    await importRows(
      gateway.storage,
      file,
      numbers.map((number) => rowOf(7, `at ${number}`)),
    );
    await importRows(
      gateway.storage,
      file,
      numbers.map((position) => rowOf(7, `at ${position}`, { position })),
    );
    const inBlock = newestFirst.map((position) => idOf(`at ${position}`));
    expect(await walk(list)).toEqual(inBlock);
    // A file that does not know them takes them from none.
    await importRows(
      gateway.storage,
      file,
      numbers.map((number) => rowOf(7, `at ${number}`)),
    );
    expect(await walk(list)).toEqual(inBlock);
  });
});

test('a transaction that was moved to another block has no position until one is known there', async () => {
  const file = 'mainnet.p-chain.transactions';
  await importRows(gateway.storage, file, [rowOf(7, 'moved', { position: 3 })]);
  await importRows(gateway.storage, file, [rowOf(8, 'moved'), rowOf(8, 'other', { position: 3 })]);
  expect(await walk(lists[0]!)).toEqual([idOf('moved'), idOf('other')]);
});

test('a token of a transaction whose position becomes known is refused, and that of any other goes on', async () => {
  const file = 'mainnet.p-chain.transactions';
  await importRows(
    gateway.storage,
    file,
    [7, 8, 9, 10].map((number) => rowOf(number, `in ${number}`)),
  );
  const page = async (after: string) => {
    const text = `{ list: ${ofChain}, first: 2, after: "${after}") { edges { cursor node { txHash } } } }`;
    const { data, errors } = await gateway.graphql<{
      list: { edges: { cursor: string; node: { txHash: string } }[] } | null;
    }>(text);
    return { edges: data.list?.edges ?? [], message: errors?.[0]?.message ?? '' };
  };
  const [, last] = (await page('')).edges;
  await importRows(gateway.storage, file, [rowOf(8, 'in 8', { position: 0 })]);
  expect((await page(last!.cursor)).edges.map(({ node }) => node.txHash)).toEqual([
    idOf('in 8'),
    idOf('in 7'),
  ]);
  await importRows(gateway.storage, file, [rowOf(9, 'in 9', { position: 0 })]);
  expect((await page(last!.cursor)).message).toMatch(
    /removed or moved since; start again from the first page/,
  );
});
