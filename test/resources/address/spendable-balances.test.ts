import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createApp, type TestApp } from '../../harness/app.js';
import { assetsAsTheyCame } from '../../harness/asset-model.js';
import { addressOf, idOf, utxoRow } from '../../harness/ledger-rows.js';
import { importRows } from '../../harness/seed.js';
import {
  forgetOutputs,
  outputsInStates,
  idsByState,
  idsInState,
  importOutputs,
  isShared,
  life,
  moment,
  onChain,
  owners,
  p,
  partsOf,
  stateOf,
  states,
  sum,
  x,
  type OutputInState,
} from '../../harness/state-model.js';
import { countStatements } from '../../harness/statements.js';
import { walkRest } from '../../harness/walk.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
});
afterAll(() => gateway.close());
beforeEach(() => clear());

const clear = () => forgetOutputs(gateway.storage);

const parts = 'total spendable lockedPlatform lockedStakeable staked inFlight nextUnlockTimestamp';
const selection = `nodes { asset { assetId } unspent singleSignature { ${parts} } multiSignature { ${parts} } }`;

interface BalanceQuery {
  owner: string;
  chain: 'p' | 'x' | null;
  at: number | null;
}

interface Balance {
  asset: { assetId: string };
  unspent: string;
  singleSignature: ReturnType<typeof partsOf>;
  multiSignature: ReturnType<typeof partsOf>;
}

async function balancesOf({ owner, chain, at }: BalanceQuery): Promise<Balance[]> {
  const argumentsText = `blockchainId: ${chain ? `"${chain}-chain"` : 'null'}, at: ${at}, first: 100`;
  const { data, errors } = await gateway.graphql<{ address: { balances: { nodes: Balance[] } } }>(
    `{ address(network: fuji, address: "${owner}") { balances(${argumentsText}) { ${selection} } } }`,
  );
  expect(errors).toBeUndefined();
  return data.address.balances.nodes;
}

async function expectedOf(
  rows: readonly OutputInState[],
  { owner, chain, at }: BalanceQuery,
  now: number,
): Promise<Balance[]> {
  const own = rows
    .filter(({ addresses }) => addresses.includes(owner))
    .filter(onChain(chain && { p, x }[chain]));
  const isIndexed = new Set(own.map(({ assetId }) => assetId));
  const held = (await assetsAsTheyCame(gateway.storage)).filter((assetId) => isIndexed.has(assetId));
  return held.map((assetId) => {
    const ofAsset = own.filter((row) => row.assetId === assetId);
    return {
      asset: { assetId },
      unspent: sum(ofAsset.filter((row) => stateOf(row, 0) !== null)),
      singleSignature: partsOf(
        ofAsset.filter((row) => !isShared(row)),
        at ?? now,
      ),
      multiSignature: partsOf(ofAsset.filter(isShared), at ?? now),
    };
  });
}

const asked = fc.record({
  owner: fc.constantFrom(...owners),
  chain: fc.constantFrom('p' as const, 'x' as const, null),
  at: fc.option(moment, { nil: null }),
});

test('what can be spent, and the outputs in each state, are what a replay of any history says, at any moment, and add up to what is unspent', async () => {
  await fc.assert(
    fc.asyncProperty(
      outputsInStates,
      fc.array(life, { minLength: 60, maxLength: 60 }),
      fc.array(fc.tuple(asked, moment), { minLength: 3, maxLength: 3 }),
      async (rows, lives, questions) => {
        await clear();
        const held = new Map<string, OutputInState>();
        for (const step of [0, 1, 2]) {
          const news = rows.filter((_row, index) => lives[index]?.born === step);
          const corrected = rows.flatMap((row, index) => {
            const own = lives[index];
            const before = held.get(row.name);
            if (own?.corrected !== step || !before || before.consumingTxHash !== undefined) return [];
            // Staking ends, and does not begin again.
            return [{ ...before, ...own.as, staked: before.staked && own.as.staked }];
          });
          await importOutputs(gateway.storage, corrected);
          for (const row of corrected) held.set(row.name, row);
          // Whatever it was before, now it is spent.
          const spent = rows
            .filter((row, index) => lives[index]?.dies === step && held.has(row.name))
            .map((row) => ({
              ...(held.get(row.name) ?? row),
              staked: false,
              consumingTxHash: idOf('a later spender'),
            }));
          await importOutputs(gateway.storage, [...news, ...spent]);
          for (const row of [...news, ...spent]) held.set(row.name, row);
          for (const [question, now] of questions) {
            gateway.clock.now = now * 1000 + 999;
            const found = await balancesOf(question);
            expect(found).toEqual(await expectedOf([...held.values()], question, now));
            for (const { unspent, singleSignature, multiSignature } of found)
              expect(BigInt(singleSignature.total) + BigInt(multiSignature.total)).toBe(BigInt(unspent));
            if (question.chain === null) continue;
            const listed = [...held.values()].filter(onChain({ p, x }[question.chain]));
            expect(await idsByState(gateway, question.owner, question.chain, question.at)).toEqual(
              Object.fromEntries(
                states.map((state) => [state, idsInState(listed, question.owner, state, question.at ?? now)]),
              ),
            );
          }
        }
      },
    ),
    { numRuns: 15 },
  );
});

test('the parts are the sums of the outputs that REST lists, sorted by what their members say', async () => {
  const [rows = []] = fc
    .sample(outputsInStates, { numRuns: 20, seed: 7 })
    .sort((a, b) => b.length - a.length);
  await importOutputs(gateway.storage, rows);
  const at = 1_700_000_000;
  for (const owner of owners)
    for (const chain of ['p', 'x'] as const) {
      const listed = (await walkRest(
        gateway,
        `/v1/networks/fuji/blockchains/${chain}-chain/utxos?addresses=${owner}`,
        'utxos',
        50,
      )) as unknown as OutputInState[];
      expect(listed.length).toBeGreaterThan(0);
      const found = (await balancesOf({ owner, chain, at })).filter(({ unspent }) => unspent !== '0');
      expect(found.length).toBeGreaterThan(0);
      for (const { asset, unspent, singleSignature, multiSignature } of found) {
        const ofAsset = listed.filter(({ assetId }) => assetId === asset.assetId);
        expect(unspent).toBe(sum(ofAsset));
        expect(singleSignature).toEqual(
          partsOf(
            ofAsset.filter((row) => !isShared(row)),
            at,
          ),
        );
        expect(multiSignature).toEqual(partsOf(ofAsset.filter(isShared), at));
      }
    }
});

test('without a moment it is that of each request, also in an operation that was seen before', async () => {
  const row = utxoRow('locked', { addresses: [owners[0]], platformLocktime: 2_000_000_000 }, 'fuji');
  await importRows(gateway.storage, 'fuji.p-chain.utxos', [row]);
  const spendable = async (now: number) => {
    gateway.clock.now = now * 1000;
    const [balance] = await balancesOf({ owner: owners[0] ?? '', chain: null, at: null });
    return balance?.singleSignature.spendable;
  };
  for (let time = 0; time < 3; time += 1) {
    expect(await spendable(1_999_999_999)).toBe('0');
    expect(await spendable(2_000_000_000)).toBe('1000');
  }
});

test('the balances of all owners of a page are read in one statement, whatever its size', async () => {
  const rows = Array.from({ length: 30 }, (_, index) =>
    utxoRow(`output ${index}`, { addresses: [addressOf(`owner ${index}`, 'fuji')] }, 'fuji'),
  );
  await importRows(gateway.storage, 'fuji.p-chain.utxos', rows);
  for (const first of [2, 30]) {
    const { result, statements } = await countStatements(() =>
      gateway.graphql(
        `{ utxos(network: fuji, blockchainId: "p-chain", first: ${first}) { nodes { owners {
           balances(first: 1) { ${selection} } } } } }`,
      ),
    );
    expect(result.errors).toBeUndefined();
    expect(statements).toHaveLength(2);
  }
});
