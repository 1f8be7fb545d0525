import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../../harness/app.js';
import {
  fuji,
  graphqlField,
  importOutputs,
  model,
  type Output,
  outputs,
  type Query,
  query,
  restPath,
} from '../../harness/utxo-model.js';
import { walkGraphQL, walkRest } from '../../harness/walk.js';
import { poolOf } from '../../harness/connections.js';

describe('a list of UTXOs', () => {
  let gateway: TestApp;
  beforeAll(async () => {
    gateway = await createApp();
    await importOutputs(gateway.storage, outputs);
  });
  afterAll(() => gateway.close());

  test('agrees with a naive filter for any filters, sort and page size, through both doors and both ways', async () => {
    await fc.assert(
      fc.asyncProperty(query, async (each) => {
        const expected = model(outputs, each);
        if (each.addresses?.length === 0) expect((await gateway.get(restPath(each))).status).toBe(400);
        else {
          const rest = await walkRest(gateway, restPath(each), 'utxos', each.pageSize);
          expect(rest.map((row) => row['utxoId'])).toEqual(expected);
        }
        const { pageSize } = each;
        const forward = await walkGraphQL(gateway, graphqlField(each), 'utxoId', pageSize, 'forward');
        expect(forward.map((row) => row['utxoId'])).toEqual(expected);
        const backward = await walkGraphQL(gateway, graphqlField(each), 'utxoId', pageSize, 'backward');
        expect(backward.map((row) => row['utxoId'])).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  test('is trimmed at both ends when both cursors are given', async () => {
    const all: Query = {
      chain: 'p',
      addresses: null,
      assetId: undefined,
      minUtxoAmount: '0',
      includeSpent: true,
      sortBy: 'timestamp',
      sortOrder: 'desc',
      pageSize: 100,
    };
    const field = graphqlField(all);
    const first = await gateway.graphql<{ list: { edges: { cursor: string; node: { utxoId: string } }[] } }>(
      `{ list: ${field}, first: 50) { edges { cursor node { utxoId } } } }`,
    );
    const edges = first.data.list.edges;
    await fc.assert(
      fc.asyncProperty(
        fc.nat(49),
        fc.nat(49),
        fc.integer({ min: 1, max: 100 }),
        fc.boolean(),
        async (a, b, size, forward) => {
          const [from, to] = [Math.min(a, b), Math.max(a, b)];
          const between = edges.slice(from + 1, to).map((edge) => edge.node.utxoId);
          const { data } = await gateway.graphql<{ list: { nodes: { utxoId: string }[] } }>(
            `{ list: ${field}, ${forward ? 'first' : 'last'}: ${size}, after: "${edges[from]?.cursor}", before: "${edges[to]?.cursor}") { nodes { utxoId } } }`,
          );
          const expected = forward ? between.slice(0, size) : between.slice(-size);
          expect(data.list.nodes.map((node) => node.utxoId)).toEqual(expected);
        },
      ),
      { numRuns: 25 },
    );
  });

  test('takes a REST token as GraphQL cursor and the reverse, for the same filters alone', async () => {
    const path = '/v1/networks/fuji/blockchains/p-chain/utxos?includeSpent=true&pageSize=5';
    const page = await gateway.get(path);
    const token = page.body.nextPageToken as string;
    const field =
      'utxos(network: testnet, blockchainId: "11111111111111111111111111111111LpoYY", includeSpent: true';
    const { data } = await gateway.graphql<{
      list: { nodes: { utxoId: string }[]; pageInfo: { endCursor: string } };
    }>(`{ list: ${field}, first: 5, after: "${token}") { nodes { utxoId } pageInfo { endCursor } } }`);
    const second = await gateway.get(`${path}&pageToken=${token}`);
    expect((second.body.utxos as Output[]).map((each) => each.utxoId)).toEqual(
      data.list.nodes.map((node) => node.utxoId),
    );
    const third = await gateway.get(`${path}&pageToken=${data.list.pageInfo.endCursor}`);
    expect(third.status).toBe(200);

    const foreign = await gateway.get(
      `/v1/networks/fuji/blockchains/x-chain/utxos?includeSpent=true&pageToken=${token}`,
    );
    expect([foreign.status, foreign.body.message]).toEqual([
      400,
      [expect.stringMatching(/^pageToken: .*was not issued here.*start again/)],
    ]);
    gateway.clock.now += 25 * 3600 * 1000;
    const expired = await gateway.get(`${path}&pageToken=${token}`);
    expect([expired.status, expired.body.message]).toEqual([400, [expect.stringContaining('has expired')]]);
    gateway.clock.now -= 25 * 3600 * 1000;
  });

  test('answers a token whose row is gone with a 400, never with an empty last page', async () => {
    const gone = gateway.services.tokens;
    const { data } = await gateway.graphql<{ utxos: { pageInfo: { endCursor: string } } }>(
      '{ utxos(network: fuji, blockchainId: "c-chain", first: 1) { pageInfo { endCursor } } }',
    );
    expect(data.utxos.pageInfo.endCursor).toBeNull();
    const { digestQuery } = await import('../../../src/paging/token.js');
    const token = gone.issue(digestQuery('utxos', { network: 'fuji', blockchainId: 'p' }), 999_999n << 26n);
    const { status, body } = await gateway.get(
      `/v1/networks/fuji/blockchains/p-chain/utxos?pageToken=${token}`,
    );
    expect([status, body.message]).toEqual([
      400,
      [expect.stringContaining('an import has removed or moved')],
    ]);
  });

  test('refuses paging arguments that Relay does not allow', async () => {
    const refused = async (paging: string) => {
      const reply = await gateway.graphql(
        `{ utxos(network: fuji, blockchainId: "p-chain", ${paging}) { nodes { utxoId } } }`,
      );
      return [reply.errors?.[0]?.extensions['code'], reply.errors?.[0]?.message];
    };
    expect(await refused('first: -1')).toEqual([
      'BAD_USER_INPUT',
      'first: -1 is not allowed; it must be 0 to 100',
    ]);
    expect(await refused('first: 101')).toEqual([
      'BAD_USER_INPUT',
      'first: 101 is not allowed; it must be 0 to 100',
    ]);
    expect(await refused('last: -1')).toEqual([
      'BAD_USER_INPUT',
      'last: -1 is not allowed; it must be 0 to 100',
    ]);
    expect(await refused('first: 1, last: 1')).toEqual([
      'BAD_USER_INPUT',
      'first and last cannot be given together',
    ]);
    expect((await refused('after: "nonsense"'))[1]).toMatch(/^after: "nonsense" is not a page token/);
  });
});

describe('a walk during which outputs arrive', () => {
  test('gives each output that was there at the start once', async () => {
    const gateway = await createApp();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('asc', 'desc'),
        fc.constantFrom('timestamp', 'amount'),
        fc.integer({ min: 1, max: 20 }),
        async (sortOrder, sortBy, pageSize) => {
          await poolOf(gateway.storage).query('TRUNCATE utxo, utxo_owner, address_balance CASCADE');
          const [before, after] = [outputs.slice(0, 60), outputs.slice(60, 120)];
          await importOutputs(gateway.storage, before);
          const seen: string[] = [];
          const path = `/v1/networks/fuji/blockchains/p-chain/utxos?includeSpent=true&sortBy=${sortBy}&sortOrder=${sortOrder}&pageSize=${pageSize}`;
          let token = '';
          do {
            const { body } = await gateway.get(`${path}&pageToken=${token}`);
            seen.push(...(body.utxos as Output[]).map((each) => each.utxoId));
            token = body.nextPageToken ?? '';
            await importOutputs(gateway.storage, after.splice(0, 7));
          } while (token);
          expect(new Set(seen).size).toBe(seen.length);
          const there = before.filter((each) =>
            [each.createdOnChainId, each.consumedOnChainId].includes(fuji.p),
          );
          expect(there.filter((each) => !seen.includes(each.utxoId))).toEqual([]);
        },
      ),
      { numRuns: 8 },
    );
    await gateway.close();
  });
});
