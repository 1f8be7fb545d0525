import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chainLineFields } from '../../src/resources/chain/fields.js';
import { createApp, type TestApp } from '../harness/app.js';
import { readSample } from '../harness/sample.js';
import { selectionOf, withoutNulls } from '../harness/selection.js';
import {
  allowList,
  allowLists,
  asset,
  config,
  feeConfig,
  fields,
  genesisData,
  genesisNullable,
  l1ValidatorDetails,
  transaction,
  utxo,
  warpConfig,
  type Fields,
} from '../harness/specified-fields.js';
import { walkRest } from '../harness/walk.js';

type Row = Record<string, unknown>;

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'array' : `array of ${typeOf(value[0])}`;
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return value === null ? 'null' : typeof value;
}

/** Each of the fields is somewhere, and wherever it is, it has its type. */
function expectFields(rows: Row[], expected: Fields): void {
  const seen = Object.fromEntries(
    Object.keys(expected).map((name) => {
      const types = new Set(rows.filter((row) => row[name] !== undefined).map((row) => typeOf(row[name])));
      // An empty array does not show the type of its items.
      if (types.size > 1) types.delete('array');
      return [name, [...types].sort().join(' | ')];
    }),
  );
  expect(seen).toEqual(expected);
}

const child = (rows: Row[], name: string): Row[] => rows.flatMap((row) => [row[name] ?? []].flat() as Row[]);

/** One transaction of each type of each chain. */
function oneOfEachType() {
  const sample = readSample();
  return (['p', 'x', 'c'] as const).flatMap((chain) => {
    const filled = (each: object) => Object.keys(each).length;
    const rows = [...sample.transactionsOf(chain)].sort((a, b) => filled(a) - filled(b));
    return [...new Map(rows.map((each) => [each.txType, each.txHash])).values()].map((txHash) => ({
      chain,
      txHash,
    }));
  });
}

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({}, { sample: true });
});
afterAll(() => gateway.close());

function expectTransactionFields(rows: Row[], genesisIsTyped: boolean): void {
  expectFields(rows, transaction);
  expectFields(child(rows, 'l1ValidatorDetails'), l1ValidatorDetails);
  expectFields(child(rows, 'l1ValidatorManagerDetails'), fields('string', 'blockchainId contractAddress'));
  expectFields(child(rows, 'blsCredentials'), fields('string', 'publicKey proofOfPossession'));
  expectFields(child(rows, 'subnetOwnershipInfo'), {
    ...fields('integer', 'locktime threshold'),
    addresses: 'array of string',
  });
  for (const list of ['value', 'amountBurned', 'amountStaked', 'amountL1ValidatorBalanceBurned'])
    expectFields(child(rows, list), asset);
  const genesis = child(child(rows, 'blockchainInfo'), 'genesisData').filter(
    (each) => typeof each === 'object',
  );
  expectFields(genesis, genesisData);
  for (const name of genesisNullable) {
    const types = genesis
      .map((each) => typeOf(each[name]))
      .filter((type) => genesisIsTyped || type !== 'undefined');
    for (const type of types) expect(['null', 'integer', 'string', 'undefined']).toContain(type);
    expect(types.length).toBeGreaterThan(0);
  }
  const configs = child(genesis, 'config');
  expectFields(configs, config);
  expectFields(child(configs, 'feeConfig'), feeConfig);
  expectFields(child(configs, 'warpConfig'), warpConfig);
  for (const name of allowLists) expectFields(child(configs, name), allowList);
  const [account] = Object.values(genesis[0]?.['alloc'] as Record<string, Row>).filter(
    (each) => each['storage'],
  );
  expectFields([account as Row], { balance: 'string', code: 'string', storage: 'object' });
}

describe('every field of the specification is filled on the sample, with its JSON type', () => {
  test('of UTXOs and chainInfo, in REST', async () => {
    const rows: Row[] = [];
    for (const chain of ['p', 'x', 'c']) {
      rows.push(
        ...(await walkRest(
          gateway,
          `/v1/networks/fuji/blockchains/${chain}-chain/utxos?includeSpent=true`,
          'utxos',
          100,
        )),
      );
    }
    expectFields(rows, utxo);
    expectFields(child(rows, 'asset'), asset);
    const { body } = await gateway.get('/v1/networks/fuji/blockchains/x-chain/utxos');
    expect(body.chainInfo).toEqual({ chainName: 'x-chain', network: 'fuji' });
  });

  test('of UTXOs, in GraphQL', async () => {
    const rows: Row[] = [];
    for (const chain of ['p', 'x']) {
      for (const sortOrder of ['asc', 'desc']) {
        let after: string | null = null;
        for (let page = 0; page < 20; page += 1) {
          const { data }: { data: { utxos: { nodes: Row[]; pageInfo: { endCursor: string | null } } } } =
            await gateway.graphql(
              `{ utxos(network: fuji, blockchainId: "${chain}-chain", includeSpent: true, sortOrder: ${sortOrder}, first: 100, after: ${JSON.stringify(after)}) {
                 nodes { ${selectionOf('Utxo')} } pageInfo { endCursor } } }`,
            );
          rows.push(...data.utxos.nodes.map((node) => withoutNulls(node) as Row));
          after = data.utxos.pageInfo.endCursor;
        }
      }
    }
    expectFields(rows, utxo);
    expectFields(child(rows, 'asset'), asset);
  });

  test('of transactions, in REST', async () => {
    const replies = oneOfEachType().map(({ chain, txHash }) =>
      gateway.get(`/v1/networks/fuji/blockchains/${chain}-chain/transactions/${txHash}`),
    );
    const rows = (await Promise.all(replies)).map((reply) => reply.body as Row);
    expect(rows.length).toBeGreaterThan(20);
    expectTransactionFields(rows, false);
  });

  test('of transactions, in GraphQL', async () => {
    const rows: Row[] = [];
    for (const { chain, txHash } of oneOfEachType()) {
      const { data } = await gateway.graphql<{ transaction: Row }>(
        `{ transaction(network: fuji, blockchainId: "${chain}-chain", txHash: "${txHash}") { ${selectionOf('Transaction')}
             consumedUtxos { nodes { utxoId } } emittedUtxos { nodes { utxoId } } } }`,
      );
      const { consumedUtxos, emittedUtxos, ...row } = data.transaction as Record<string, { nodes: Row[] }>;
      rows.push({
        ...(withoutNulls(row) as Row),
        consumedUtxos: consumedUtxos?.nodes,
        emittedUtxos: emittedUtxos?.nodes,
      });
    }
    expectTransactionFields(rows, true);
  });
});

test('a file of chains fills every field in some row', () => {
  const rows = readSample().rowsOf<Row>('evm.chains');
  // A file may leave out the status: the chain produces blocks.
  const isFilled = (name: string) => name === 'status' || rows.some((row) => (row[name] ?? null) !== null);
  expect(Object.keys(chainLineFields).filter((name) => !isFilled(name))).toEqual([]);
});
