import { afterEach, expect, test } from 'vitest';
import { readForkTimes } from '../../../src/follow/network/node-facts.js';
import { openTestNodes } from '../../harness/node-client.js';
import { startScriptedNode } from '../../harness/scripted-node.js';

const running: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const each of running.splice(0).reverse()) await each.close();
});

/** What is taken from a node that says that every fork was in 2020. */
async function timesOf(networkID: number) {
  const time = '2020-12-05T05:00:00Z';
  const node = await startScriptedNode(
    ({ method }) => {
      if (method === 'info.getNetworkID') return { result: { networkID: String(networkID) } };
      if (method === 'info.getBlockchainID') return { result: { blockchainID: 'any' } };
      return { result: { apricotPhase1Time: time, durangoTime: time, etnaTime: time, heliconTime: time } };
    },
    { saysIdentity: true },
  );
  const nodes = openTestNodes([node.url]);
  running.push(node, nodes);
  return readForkTimes(nodes, AbortSignal.timeout(60_000));
}

test('the past forks of a public network are known, whatever a node says; those of another one it says', async () => {
  const said = Date.UTC(2020, 11, 5, 5) / 1000;
  expect(await timesOf(1)).toEqual({
    apricotPhase1Time: Date.parse('2021-03-31T14:00:00Z') / 1000,
    apricotPhase5Time: Date.parse('2021-12-02T18:00:00Z') / 1000,
    cortinaTime: Date.parse('2023-04-25T15:00:00Z') / 1000,
    durangoTime: Date.parse('2024-03-06T16:00:00Z') / 1000,
    etnaTime: Date.parse('2024-12-16T17:00:00Z') / 1000,
    heliconTime: said,
  });
  expect(await timesOf(5)).toMatchObject({ durangoTime: Date.parse('2024-02-13T16:00:00Z') / 1000 });
  expect(await timesOf(1337)).toMatchObject({ durangoTime: said, cortinaTime: Infinity });
});
