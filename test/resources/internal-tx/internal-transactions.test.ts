import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../../harness/app.js';
import { addresses, chainRow, frameRow, hashAt, hashOf, idOf } from '../../harness/evm-rows.js';
import { frames, newestFirst, toRow, valueOf, type Frame } from '../../harness/frame-model.js';
import { expectList, paging, within } from '../../harness/list-model.js';
import { importRows } from '../../harness/seed.js';
import { expectStatements } from '../../harness/statements.js';
import { poolOf } from '../../harness/connections.js';

const CHAIN = '9223372036854775807';
const FILE = `evm.${CHAIN}.internal-transactions`;
const LIST = `/v1/chains/${CHAIN}/addresses`;

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
  await importRows(gateway.storage, 'evm.chains', [
    chainRow(CHAIN, { blockchainId: idOf('the chain') }),
    chainRow('7'),
  ]);
});
afterAll(() => gateway.close());
beforeEach(() => poolOf(gateway.storage).query('TRUNCATE internal_tx'));

const queries = fc.record({
  address: fc.constantFrom(...addresses),
  startBlock: fc.option(fc.constantFrom('0', '2', '3', '1e+0', '1e+21'), { nil: undefined }),
  endBlock: fc.option(fc.constantFrom('0', '3', '5', '4e+0', '1e+21'), { nil: undefined }),
  ...paging(9),
});
type Query = typeof queries extends fc.Arbitrary<infer T> ? T : never;

/** The rows that the contract promises, by checking every frame. */
function model(rows: readonly Frame[], { address, startBlock, endBlock }: Query): string[] {
  return rows
    .filter(({ from, to }) => from === address || to === address)
    .filter(({ block }) => block >= Number(startBlock ?? 0) && block < Number(endBlock ?? Infinity))
    .sort(newestFirst)
    .map(valueOf);
}

function checkOf({ address, startBlock, endBlock, pageSize, direction }: Query) {
  const range = [startBlock && `startBlock: "${startBlock}"`, endBlock && `endBlock: "${endBlock}"`];
  return {
    field: `internalTransactions(${range.filter(Boolean).join(', ')}`,
    key: 'value',
    pageSize,
    direction,
    within: within(`evmAddress(chainId: "${CHAIN}", address: "${address.toLowerCase()}")`),
  };
}

describe('a list of internal transactions', () => {
  test('agrees with a naive filter for any address, blocks, page size and direction', async () => {
    await fc.assert(
      fc.asyncProperty(frames, fc.array(queries, { minLength: 4, maxLength: 8 }), async (rows, lists) => {
        await poolOf(gateway.storage).query('TRUNCATE internal_tx');
        await importRows(gateway.storage, FILE, rows.map(toRow));
        for (const each of lists) {
          const expected = model(rows, each);
          await expectList(gateway, { ...checkOf(each), expected });
          const { address, startBlock, endBlock } = each;
          const search = new URLSearchParams({
            pageSize: '100',
            ...(startBlock !== undefined && { startBlock }),
            ...(endBlock !== undefined && { endBlock }),
          });
          const { body } = await gateway.get(`${LIST}/${address}/transactions:listInternals?${search}`);
          expect((body.transactions as { value: string }[]).map(({ value }) => value)).toEqual(expected);
        }
      }),
      { numRuns: 12 },
    );
  });

  test('shows every one that was there at the start, once, while others are added between pages', async () => {
    await fc.assert(
      fc.asyncProperty(frames, frames, queries, async (rows, added, each) => {
        await poolOf(gateway.storage).query('TRUNCATE internal_tx');
        await importRows(gateway.storage, FILE, rows.map(toRow));
        const waiting = added.map((frame) => ({ ...frame, tx: frame.tx + 1000 }));
        const between = () => importRows(gateway.storage, FILE, waiting.splice(0, 5).map(toRow));
        await expectList(gateway, { ...checkOf(each), expected: model(rows, each), between });
      }),
      { numRuns: 10 },
    );
  });

  test('sorts transaction hashes as text, whatever their first bytes', async () => {
    const hashes = ['0x00', '0x7f', '0x80', '0xff'].map((start) => start + '0'.repeat(62));
    await importRows(
      gateway.storage,
      FILE,
      hashes.map((txHash) => frameRow({ txHash })),
    );
    const { body } = await gateway.get(`${LIST}/${addresses[0]}/transactions:listInternals`);
    expect((body.transactions as { txHash: string }[]).map(({ txHash }) => txHash)).toEqual(hashes.reverse());
  });

  test('is the same by EVM id and blockchain id, and for an address of any case', async () => {
    await importRows(gateway.storage, FILE, [frameRow()]);
    const [address] = addresses;
    const replies = await Promise.all(
      [CHAIN, idOf('the chain')].flatMap((chain) =>
        [address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`].map((each) =>
          gateway.get(`/v1/chains/${chain}/addresses/${each}/transactions%3AlistInternals`),
        ),
      ),
    );
    for (const { status, body } of replies) {
      expect(status).toBe(200);
      expect(body).toEqual({ transactions: [frameRow()] });
    }
  });

  test('of a chain that is not stored is a 404 and null; wrong parameters are named together', async () => {
    const missing = await gateway.get(`/v1/chains/99/addresses/${addresses[0]}/transactions:listInternals`);
    expect(missing.status).toBe(404);
    const { data } = await gateway.graphql(
      `{ evmAddress(chainId: "99", address: "${addresses[0]}") { id } }`,
    );
    expect(data).toEqual({ evmAddress: null });
    const beyond = await gateway.get(
      `/v1/chains/${'9'.repeat(78)}/addresses/${addresses[0]}/transactions:listInternals`,
    );
    expect(beyond.status).toBe(404);
    const { status, body } = await gateway.get(
      '/v1/chains/c-chain/addresses/0x12/transactions:listInternals?startBlock=-1&endBlock=1.5&pageSize=101',
    );
    expect(status).toBe(400);
    for (const name of ['chainId', 'address', 'startBlock', 'endBlock', 'pageSize'])
      expect(body.message).toContainEqual(expect.stringMatching(new RegExp(`^${name}: `)));
  });

  test('is empty where startBlock is not below endBlock', async () => {
    await importRows(gateway.storage, FILE, [frameRow()]);
    for (const range of ['startBlock=100&endBlock=100', 'startBlock=101&endBlock=1', 'startBlock=1e%2B40']) {
      const { body } = await gateway.get(`${LIST}/${addresses[0]}/transactions:listInternals?${range}`);
      expect(body).toEqual({ transactions: [] });
    }
  });
});

describe('the graph around internal transactions', () => {
  test('pages of many addresses are one statement, and so are their counts', async () => {
    const rows = Array.from({ length: 40 }, (_, index) =>
      frameRow({ txHash: hashOf(String(index)), to: { address: addresses[index % 4] } }),
    );
    await importRows(gateway.storage, FILE, rows);
    const list = 'internalTransactions(first: 2) { totalCount nodes { value } }';
    const query = `{ evmAddress(chainId: "${CHAIN}", address: "${addresses[0]}") {
      internalTransactions(first: 40) { nodes { to { evmAddress { ${list} } } from { evmAddress { ${list} } } chain { chainId } } } } }`;
    // The chain; the frames; then the pages of both sides together and their counts.
    await expectStatements(gateway, query, 4);
  });

  test('every node is found by its global id', async () => {
    await importRows(gateway.storage, FILE, [frameRow()]);
    type Data = {
      evmAddress: { id: string; chain: { id: string }; internalTransactions: { nodes: { id: string }[] } };
    };
    const { data } = await gateway.graphql<Data>(
      `{ evmAddress(chainId: "${CHAIN}", address: "${addresses[0]}") { id chain { id } internalTransactions { nodes { id } } } }`,
    );
    const ids = [
      data.evmAddress.id,
      data.evmAddress.chain.id,
      data.evmAddress.internalTransactions.nodes[0]?.id,
    ];
    const again = await gateway.graphql<{ nodes: { id: string }[] }>(
      `{ nodes(ids: ${JSON.stringify(ids)}) { id } }`,
    );
    expect(again.data.nodes.map((node) => node.id)).toEqual(ids);
  });

  test('ids that name nothing are null', async () => {
    const names = ['InternalTransaction:7:x:0:0', `InternalTransaction:${'9'.repeat(19)}:${hashAt(1)}:0:0`];
    const ids = [...names, 'EvmAddress:7:0x12', `EvmAddress:8:${addresses[0]}`, 'Chain:8', 'Chain:x'].map(
      (name) => Buffer.from(name).toString('base64'),
    );
    const { data, errors } = await gateway.graphql(`{ nodes(ids: ${JSON.stringify(ids)}) { id } }`);
    expect(errors).toBeUndefined();
    expect(data).toEqual({ nodes: ids.map(() => null) });
  });
});
