import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import { createApp, type TestApp } from '../harness/app.js';
import { avalanchego, startLiveNode, type Allocation, type LiveNode } from '../harness/avalanchego.js';
import { startFollowing, type Started } from '../harness/followed.js';
import { FEE, LiveWallet } from '../harness/live-wallet.js';
import { outputOf } from '../harness/output-bytes.js';
import { byId, toldByNodes, type RestOutput } from '../harness/rest-outputs.js';
import { allPages } from '../harness/rest-pages.js';
import { Wallet } from '../harness/signed-transactions.js';

const AVAX = 1_000_000_000n;
const [anna, ben] = [new Wallet('moraine live anna'), new Wallet('moraine live ben')];
/** Far away: nothing ends while the test runs. */
const LATER = 4_000_000_000;
const restChain = { P: 'p', X: 'x', C: 'c' } as const;
const PATIENCE_MS = 60_000;

/** Of AVAX that the wallet has from the beginning on. */
const allocation = (wallet: Wallet, text: string): Allocation => ({
  ethAddr: wallet.evmAddress.toLowerCase(),
  avaxAddr: text,
  initialAmount: Number(1000n * AVAX),
  unlockSchedule: [{ amount: Number(2000n * AVAX) }, { amount: Number(500n * AVAX), locktime: LATER }],
});

describe.skipIf(!avalanchego)(
  `a live node${avalanchego ? '' : ' (skipped: TEST_AVALANCHEGO names no program)'}`,
  () => {
    /** What was begun. */
    const ends: (() => Promise<unknown>)[] = [];
    let node: LiveNode;
    let gateway: TestApp;
    let following: Started;
    let wallet: LiveWallet;

    beforeAll(async () => {
      node = await startLiveNode(
        avalanchego!,
        [anna, ben].map((each) => allocation(each, `X-${each.text}`)),
      );
      ends.push(node.drop);
      await node.ready();
      gateway = await createApp();
      ends.push(gateway.close);
      const given = { urls: [node.url], genesis: node.genesis, node: { patienceMs: 1000 } };
      following = await startFollowing(gateway.storage, given);
      ends.push(following.stop);
      wallet = await LiveWallet.open(node, anna);
    });

    afterAll(async () => {
      for (const end of ends.splice(0).reverse()) await end();
      adoptIdentities({});
    });

    test('every transaction that it accepts is in REST, on all three chains, also after it was started again', async () => {
      await moveAround(wallet);
      await node.stop();
      await sleep(1000);
      node.start();
      await node.ready();
      await moveAround(wallet);
      expect(wallet.accepted).toHaveLength(22);
      for (const { chain, id } of wallet.accepted) await untilShown(chain, id);
      expect(following.views.map(({ state, note }) => [state, note])).toEqual(
        following.views.map(() => ['following', null]),
      );
    });

    test('for every address and chain REST lists what its getUTXOs lists', async () => {
      const { chains } = wallet.network;
      for (const { text } of [anna, ben])
        for (const chain of ['P', 'X', 'C'] as const) {
          const wanted = [];
          // A list of REST has what its chain made and what it can consume.
          for (const [on, from] of pairsOf(chain))
            for (const hex of await wallet.listed(text, on, from))
              wanted.push(outputOf(hex, chains[from], chains[on]));
          const path = `/v1/networks/fuji/blockchains/${restChain[chain]}-chain/utxos?addresses=${text}`;
          const rows = await allPages<RestOutput>(gateway, path, 'utxos');
          expect(byId(rows).map(toldByNodes), `${chain} ${text}`).toEqual(byId(wanted));
          if (chain !== 'C') expect(rows.length).toBeGreaterThan(0);
        }
    });

    async function untilShown(chain: 'P' | 'X' | 'C', id: string): Promise<void> {
      const path = `/v1/networks/fuji/blockchains/${restChain[chain]}-chain/transactions/${id}`;
      for (const end = performance.now() + PATIENCE_MS; ; await sleep(50)) {
        const { status, text } = await gateway.get(path);
        if (status === 200) return;
        if (performance.now() > end)
          throw new Error(`${path}: ${text} ${JSON.stringify(following.views.map(({ note }) => note))}`);
      }
    }
  },
);

/**
 * Where outputs can be consumed, and where they were made, for the list of one chain. C has none of its own.
 */
function pairsOf(chain: 'P' | 'X' | 'C'): ['P' | 'X' | 'C', 'P' | 'X' | 'C'][] {
  const others = (['P', 'X', 'C'] as const).filter((each) => each !== chain);
  const moving = others.flatMap((other): ['P' | 'X' | 'C', 'P' | 'X' | 'C'][] => [
    [chain, other],
    [other, chain],
  ]);
  return chain === 'C' ? moving : [[chain, chain], ...moving];
}

/** One transaction of each sort, each with what the ones before have left. */
async function moveAround(wallet: LiveWallet): Promise<void> {
  const { write, key } = wallet;
  const mine = (amount: bigint) => ({ amount, owners: [key] });
  for (const chain of ['P', 'X'] as const) {
    const from = await wallet.largest(chain);
    const rest = from.output.amount - FEE - 10n * AVAX;
    const made = [
      mine(rest),
      { amount: 4n * AVAX, owners: [ben] },
      { amount: 3n * AVAX, owners: [key, ben], threshold: 2 },
      { amount: 3n * AVAX, owners: [key], locktime: BigInt(LATER) },
    ];
    await wallet.issue(chain, write.move(chain, { consumed: [from], made }));
  }
  const forSubnet = await wallet.largest('P');
  const left = [mine(forSubnet.output.amount - 2n * AVAX)];
  await wallet.issue('P', write.createSubnet({ consumed: [forSubnet], made: left }, key));
  for (const [from, to] of [
    ['X', 'P'],
    ['P', 'X'],
    ['X', 'C'],
  ] as const) {
    const consumed = await wallet.largest(from);
    const made = [mine(consumed.output.amount - FEE - 20n * AVAX)];
    const exported = [mine(13n * AVAX), { amount: 7n * AVAX, owners: [ben] }];
    await wallet.issue(from, write.exportTo(from, to, { consumed: [consumed], made }, exported));
    const arrived = await wallet.largest(to, from);
    const amount = arrived.output.amount - FEE;
    await wallet.issue(
      to,
      to === 'C'
        ? write.importToC(from, [arrived], amount)
        : write.importFrom(to, from, [arrived], [mine(amount)]),
    );
  }
  for (const to of ['P', 'X'] as const) {
    const exported = [mine(3n * AVAX), { amount: 1n * AVAX, owners: [ben] }];
    await wallet.issue('C', write.exportFromC(to, 4n * AVAX + FEE, await wallet.nonce(), exported));
  }
}
