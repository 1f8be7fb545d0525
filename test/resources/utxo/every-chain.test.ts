import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nativeAssetIds } from '../../../src/avalanche/networks.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { paging, expectList, within } from '../../harness/list-model.js';
import { fuji, importOutputs, model, outputs, query, type Query } from '../../harness/utxo-model.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({ MAX_COST: '1000000' });
  await importOutputs(gateway.storage, outputs);
});
afterAll(() => gateway.close());

const owners = [...new Set(outputs.flatMap(({ addresses }) => addresses))];
const isOnX = (id: string) => id === fuji.x;

/** What the lists of the chains have, each output once, by looking at every output. */
function expectedOf(given: Query): string[] {
  const ofAsset = outputs.filter(
    (each) =>
      given.assetId === undefined ||
      (each.assetId === given.assetId &&
        (given.assetId === nativeAssetIds.fuji ||
          isOnX(each.createdOnChainId) ||
          isOnX(each.consumedOnChainId))),
  );
  const any = { ...given, assetId: undefined };
  const found = new Set((['p', 'x'] as const).flatMap((chain) => model(ofAsset, { ...any, chain })));
  // In the order of the list, of which the chain is no part.
  const all = ofAsset.map((each) => ({ ...each, createdOnChainId: fuji.p }));
  return model(all, { ...any, chain: 'p' }).filter((id) => found.has(id));
}

const argumentsOf = ({ assetId, minUtxoAmount, includeSpent, sortBy, sortOrder }: Query) =>
  `assetId: ${JSON.stringify(assetId ?? null)}, minUtxoAmount: "${minUtxoAmount}", includeSpent: ${includeSpent},
   sortBy: ${sortBy}, sortOrder: ${sortOrder}`;

describe('the outputs of addresses on all chains', () => {
  test('are those of the lists of the chains, each once, for any filters, sort, page size and direction', async () => {
    const addresses = fc.subarray(owners, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        query,
        addresses,
        fc.record(paging(40)),
        fc.boolean(),
        async (given, some, page, byAddress) => {
          const [address] = some;
          const wanted = byAddress ? [address as string] : some;
          await expectList(gateway, {
            field: byAddress
              ? `utxos(${argumentsOf(given)}`
              : `utxos(network: fuji, addresses: ${JSON.stringify(wanted)}, ${argumentsOf(given)}`,
            key: 'utxoId',
            expected: expectedOf({ ...given, addresses: wanted }),
            ...(byAddress && { within: within(`address(network: fuji, address: "${address}")`, 'address') }),
            ...page,
          });
        },
      ),
      { numRuns: 40 },
    );
  });

  test('in a state are those of the lists of the chains in that state', async () => {
    const idsOf = async (state: string, chain: string) => {
      const { data, errors } = await gateway.graphql<{ list: { nodes: { utxoId: string }[] } }>(
        `{ list: utxos(network: fuji, addresses: ${JSON.stringify(owners)}, state: ${state}, ${chain} first: 100, locksAt: 5) { nodes { utxoId } } }`,
      );
      expect(errors).toBeUndefined();
      return data.list.nodes.map(({ utxoId }) => utxoId);
    };
    for (const state of ['SPENDABLE', 'STAKED', 'IN_FLIGHT']) {
      const all = await idsOf(state, '');
      const byChain = [
        ...(await idsOf(state, 'blockchainId: "p-chain",')),
        ...(await idsOf(state, 'blockchainId: "x-chain",')),
      ];
      expect(all.length).toBeGreaterThan(0);
      expect(new Set(all).size).toBe(all.length);
      expect([...all].sort()).toEqual([...new Set(byChain)].sort());
    }
  });

  test.each([
    ['', 'blockchainId: is missing; it can be omitted only if addresses is given'],
    [`addresses: ["${owners[0]}"], asOf: { time: 5 }`, 'asOf: requires blockchainId'],
  ])('are refused with %s, and what is allowed is said', async (args, message) => {
    const { errors } = await gateway.graphql(`{ utxos(network: fuji, ${args}) { nodes { utxoId } } }`);
    expect(errors?.[0]?.message).toBe(message);
  });
});

describe('the time at which locks are checked', () => {
  test('has a name that says so, and the one that it had, which is deprecated', async () => {
    const address = `address(network: fuji, address: "${owners[0]}")`;
    const parts = 'nodes { singleSignature { total spendable lockedPlatform } }';
    const ask = async (args: string) => {
      const { data, errors } = await gateway.graphql<{ address: { balances: unknown } }>(
        `{ ${address} { balances(${args}) { ${parts} } } }`,
      );
      return errors ? errors[0]?.message : data.address.balances;
    };
    expect(await ask('locksAt: 5')).toEqual(await ask('at: 5'));
    expect(await ask('locksAt: 5, at: 5')).toBe('locksAt and at cannot be given together');
    const state = `addresses: ["${owners[0]}"], state: SPENDABLE`;
    const { errors } = await gateway.graphql(
      `{ utxos(network: fuji, ${state}, at: 5, locksAt: 6) { totalCount } }`,
    );
    expect(errors?.[0]?.message).toBe('locksAt and at cannot be given together');
    const { data } = await gateway.graphql<{ __type: { fields: { name: string; args: object[] }[] } }>(
      `{ __type(name: "Address") { fields { name args(includeDeprecated: true) { name isDeprecated deprecationReason } } } }`,
    );
    for (const field of ['balances', 'utxos'])
      expect(data.__type.fields.find(({ name }) => name === field)?.args).toEqual(
        expect.arrayContaining([
          { name: 'locksAt', isDeprecated: false, deprecationReason: null },
          { name: 'at', isDeprecated: true, deprecationReason: expect.stringContaining('locksAt') as string },
        ]),
      );
  });
});
