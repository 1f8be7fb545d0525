import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { hexOf, openTestNodes } from '../../harness/node-client.js';
import { Random } from '../../harness/random.js';
import { type Said, startScriptedNode } from '../../harness/scripted-node.js';

const block: Said = { result: { height: '7', block: hexOf(Buffer.from('block')), encoding: 'hex' } };
const busy: Said = { status: 503, body: '' };
const identity: Said = { result: { networkID: '1337', blockchainID: 'the same for X and C' } };
const cut: Said = { write: (response) => response.destroy() };

test('calls that wait for room go on when the last call that took it was one for the network', async () => {
  let identities = 0;
  const node = await startScriptedNode(
    async ({ method }) => {
      if (!method.startsWith('info.')) return block;
      identities += 1;
      // Of the three calls one fails at once, and those that wait for it do not wait for the two others.
      if (identities === 1) return busy;
      await sleep(identities <= 3 ? 200 : 1);
      return identity;
    },
    { saysIdentity: true },
  );
  const nodes = openTestNodes([node.url], { concurrency: 1 });
  try {
    expect(await nodes.platform.blocks(0n, 16)).toHaveLength(16);
  } finally {
    await nodes.close();
    await node.close();
  }
});

test('whatever a node does to them, all calls end', async () => {
  for (let seed = 1; seed <= 12; seed += 1) {
    const random = new Random(seed);
    const node = await startScriptedNode(
      async ({ method }) => {
        await sleep(random.below(4));
        if (random.chance(0.08)) return busy;
        if (random.chance(0.08)) return cut;
        return method.startsWith('info.') ? identity : block;
      },
      { saysIdentity: true },
    );
    const nodes = openTestNodes([node.url], { concurrency: 1 + random.below(4), patienceMs: 50 });
    const leave = new AbortController();
    const calls = Array.from({ length: 24 }, (_, index) => {
      const from = BigInt(8 * index);
      const signal = random.chance(0.2) ? leave.signal : undefined;
      if (random.chance(0.2)) return nodes.platform.height({ signal });
      return nodes.platform.blocks(from, 8, { signal });
    });
    setTimeout(() => leave.abort(new Error('it leaves')), random.below(50));
    const outcomes = await Promise.allSettled(calls);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected')
        expect(String(outcome.reason)).toMatch(/503|connection|leaves|broke|no node is available/);
    }
    await nodes.close();
    await node.close();
  }
});
