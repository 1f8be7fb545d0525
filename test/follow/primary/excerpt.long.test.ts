import { afterAll, beforeAll, expect, test } from 'vitest';
import { adoptIdentities } from '../../../src/avalanche/identity.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { ask } from '../../harness/ask.js';
import { expectDerived } from '../../harness/derived-model.js';
import { excerptFilling } from '../../harness/followed.js';
import { excerptTruth } from '../../harness/node-truth.js';
import type { NodeOutput } from '../../harness/output-bytes.js';
import { allPages } from '../../harness/rest-pages.js';
import { walkGraphQL } from '../../harness/walk.js';

const chains = ['p', 'x', 'c'] as const;
const truth = excerptTruth();
let gateway: TestApp;

beforeAll(async () => {
  gateway = await createApp({}, { filling: excerptFilling });
});

afterAll(async () => {
  await gateway.close();
  adoptIdentities({});
});

test('the network in this repository is followed to its end: REST finds every transaction of its blocks', async () => {
  for (const [chain, transactions] of Object.entries(truth.allTransactions())) {
    const where = { network: 'fuji' as const, chain: chain as (typeof chains)[number] };
    const rows = await gateway.storage.prisma.transaction.findMany({ where, select: { txHash: true } });
    expect(rows.map(({ txHash }) => txHash).sort()).toEqual(transactions.map(({ id }) => id).sort());
  }
  const [newest] = truth.transactions().p.slice(-1);
  const { status, body } = await gateway.get(
    `/v1/networks/fuji/blockchains/p-chain/transactions/${newest!.id}`,
  );
  expect([status, body.txHash]).toEqual([200, newest!.id]);
});

test('the transactions of each chain are listed from the last one of the newest block to the first one', async () => {
  const all = truth.allTransactions();
  for (const chain of chains) {
    const rows = await walkGraphQL(
      gateway,
      `transactions(network: fuji, blockchainId: "${chain}-chain"`,
      'txHash blockNumber',
      100,
      'forward',
    );
    const listed = rows.filter(({ blockNumber }) => blockNumber !== null).map(({ txHash }) => txHash);
    const inBlocks = new Set(listed);
    const order = all[chain].map(({ id }) => id).filter((id) => inBlocks.has(id));
    expect(listed, chain).toEqual(order.toReversed());
  }
});

test('its lists of outputs have all that was made and not consumed, and nothing else', async () => {
  const rows = await Promise.all(
    chains.map((chain) =>
      allPages<NodeOutput>(gateway, `/v1/networks/fuji/blockchains/${chain}-chain/utxos`, 'utxos'),
    ),
  );
  const ids = new Set(rows.flat().map(({ utxoId }) => utxoId));
  expect([...ids].sort()).toEqual(truth.unspentIds().sort());
});

/** A sum of an asset. */
interface Sums {
  asset: { assetId: string };
  received: string;
  sent: string;
  unspent: string;
}

/** What each transaction did to an address. */
async function effectsOn(address: string): Promise<Sums[]> {
  type Page = {
    edges: { effect: { assets: Sums[] } }[];
    pageInfo: { endCursor: string; hasNextPage: boolean };
  };
  const found: Sums[] = [];
  for (let after = ''; ;) {
    const { address: page } = await ask<{ address: { transactions: Page } }>(
      gateway,
      `{ address(network: fuji, address: "${address}") { transactions(first: 100, after: "${after}") {
        edges { effect { assets { asset { assetId } received sent } } } pageInfo { endCursor hasNextPage }
      } } }`,
    );
    found.push(...page.transactions.edges.flatMap(({ effect }) => effect.assets));
    if (!page.transactions.pageInfo.hasNextPage) return found;
    after = page.transactions.pageInfo.endCursor;
  }
}

/** What an output adds to sums, by its bytes: its amount, and 1 for an NFT (type 11), which has none. */
const countOf = ({ amount, utxoBytes }: NodeOutput) =>
  amount === '0' && utxoBytes.slice(142, 150) === '0000000b' ? 1n : BigInt(amount);

test('an NFT counts as one for its holder, in balances, in the days of both and in what transactions did', async () => {
  type Listed = NodeOutput & { blockTimestamp: number; consumingTxHash?: string };
  const lists = await Promise.all(
    chains.map((chain) =>
      allPages<Listed>(
        gateway,
        `/v1/networks/fuji/blockchains/${chain}-chain/utxos?includeSpent=true`,
        'utxos',
      ),
    ),
  );
  const outputs = [...new Map(lists.flat().map((output) => [output.utxoId, output])).values()];
  const onX = new Set((lists[1] as Listed[]).map(({ utxoId }) => utxoId));
  const nfts = outputs.filter((output) => output.amount === '0' && countOf(output) === 1n);
  const assetIds = [...new Set(nfts.map(({ assetId }) => assetId))];
  const owned = new Map<string, { received: bigint; unspent: bigint; onX: bigint }>();
  for (const output of outputs.filter(({ assetId }) => assetIds.includes(assetId)))
    for (const address of output.addresses) {
      const position = `${output.assetId} ${address}`;
      const known = owned.get(position) ?? { received: 0n, unspent: 0n, onX: 0n };
      const count = countOf(output);
      const unspent = output.consumingTxHash === undefined ? count : 0n;
      owned.set(position, {
        received: known.received + count,
        unspent: known.unspent + unspent,
        onX: known.onX + (onX.has(output.utxoId) ? unspent : 0n),
      });
    }
  expect(assetIds.length).toBeGreaterThan(1);
  for (const assetId of assetIds) {
    type Holder = { address: { address: string }; unspent: string };
    const { asset } = await ask<{ asset: { holders: { nodes: Holder[] } } }>(
      gateway,
      `{ asset(network: fuji, assetId: "${assetId}") {
        holders(blockchainId: "x-chain", first: 100) { nodes { address { address } unspent } }
      } }`,
    );
    const found = asset.holders.nodes.map(
      ({ address, unspent }) => `${assetId} ${address.address} ${unspent}`,
    );
    const wanted = [...owned].filter(([position, sums]) => position.startsWith(assetId) && sums.onX > 0n);
    expect(found.sort()).toEqual(wanted.map(([position, sums]) => `${position} ${sums.onX}`).sort());
  }
  const days = outputs
    .filter(({ assetId }) => assetIds.includes(assetId))
    .map((output) => new Date(1000 * output.blockTimestamp).toISOString().slice(0, 10))
    .sort();
  const [firstDate, lastDate] = [days[0], days.at(-1)];
  for (const [position, { received, unspent }] of owned) {
    const [assetId, address] = position.split(' ') as [string, string];
    type Found = {
      balances: { nodes: Sums[] };
      balanceHistory: { nodes: { received: string; balance: string }[] };
    };
    const { address: found } = await ask<{ address: Found }>(
      gateway,
      `{ address(network: fuji, address: "${address}") {
        balances(first: 100) { nodes { asset { assetId } received unspent } }
        balanceHistory(assetId: "${assetId}", firstDate: "${firstDate}", lastDate: "${lastDate}") { nodes { received balance } }
      } }`,
    );
    const ofAsset = (all: Sums[]) => all.filter(({ asset }) => asset.assetId === assetId);
    const history = found.balanceHistory.nodes;
    const effects = ofAsset(await effectsOn(address));
    const sum = (all: string[]) => all.reduce((total, each) => total + BigInt(each), 0n);
    expect(
      {
        balance: ofAsset(found.balances.nodes).map((each) => [each.received, each.unspent]),
        days: [sum(history.map((each) => each.received)), history.at(-1)?.balance ?? '0'],
        effects: sum(effects.map((each) => each.received)) - sum(effects.map((each) => each.sent)),
      },
      position,
    ).toEqual({
      balance: [[received, unspent].map(String)],
      days: [received, unspent.toString()],
      effects: unspent,
    });
  }
  await expectDerived(gateway.storage);
});
