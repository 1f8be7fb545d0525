import { afterEach, describe, expect, test } from 'vitest';
import { allStreams, type ChosenStreams } from '../../../src/follow/check/chosen-streams.js';
import { probe } from '../../../src/follow/check/probe.js';
import { printProbe } from '../../../src/follow/check/probe-text.js';
import { startAlteredNode } from '../../harness/altered-node.js';
import { startExcerptNode } from '../../harness/excerpt-node.js';
import { freePort } from '../../harness/free-port.js';
import { lacks } from '../../harness/recorded-c-chain.js';
import { openTestNodes } from '../../harness/node-client.js';
import { openNodeProxy } from '../../harness/node-proxy.js';
import { hasRecordedNode, startRecordedNode } from '../../harness/recorded-node.js';
import { startScriptedNode } from '../../harness/scripted-node.js';

const running: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const each of running.splice(0).reverse()) await each.close();
});

/** Asks what this node has; gives the data and the text. */
async function probeOf(url: string, chosen: Partial<ChosenStreams> = {}) {
  const nodes = openTestNodes([url], { patienceMs: 100 });
  running.push(nodes);
  const found = await probe(nodes, {}, { ...allStreams, ...chosen });
  return { found, text: printProbe(found) };
}

describe('what a node can fill', () => {
  test('all three chains from genesis, and no flag is missing but those of what is not followed', async () => {
    const node = await startExcerptNode();
    running.push(node);
    const { found, text } = await probeOf(node.url);
    expect(found.problem).toBeNull();
    expect(found.node).toMatchObject({
      version: 'avalanchego/1.14.0',
      networkId: 1337,
      tracer: 'no',
      heads: { P: 600n, X: 144n, C: 219n },
      index: { 'X/tx': 'off', 'X/vtx': 'off' },
    });
    expect(found.lines.slice(0, 3).map(({ filled }) => filled)).toEqual(
      Array.from({ length: 3 }, () => 'from genesis'),
    );
    // Its recording has no receipts.
    const logs = found.lines.find(({ what }) => what === 'NFTs of the C-chain');
    expect(logs).toMatchObject({
      filled: 'not filled',
      hint: expect.stringContaining('eth_getBlockReceipts') as string,
    });
    for (const flag of ['--genesis', '--index-enabled', 'debug-tracer']) expect(text).toContain(flag);
  });

  test.skipIf(!hasRecordedNode)('a node with index, traces and archive lacks no flag', async () => {
    const node = await startRecordedNode('network-c');
    running.push(node);
    const { found, text } = await probeOf(node.url);
    expect(found.node).toMatchObject({
      tracer: 'yes',
      archive: 'yes',
      index: { 'X/tx': 'on', 'X/vtx': 'on' },
    });
    expect(found.lines).toContainEqual({
      what: 'messages of the C-chain',
      filled: 'from genesis',
      hint: null,
    });
    for (const flag of ['--index-enabled', 'debug-tracer"', 'pruning-enabled'])
      expect(text).not.toContain(flag);
  });

  test.skipIf(!hasRecordedNode)(
    'an empty index is not taken for a history without transactions',
    async () => {
      const node = await startRecordedNode('network-a');
      running.push(node);
      const { found } = await probeOf(node.url);
      expect(found.node?.index).toEqual({ 'X/tx': 'empty', 'X/vtx': 'empty' });
      expect(found.lines[3]?.hint).toContain('enabled too late');
    },
  );

  test('where the node does not find the first blocks, it would wait; from which height on it can begin', async () => {
    const node = await startExcerptNode();
    const without = await startScriptedNode(
      async (asked) => {
        const { height } = (asked.params ?? {}) as { height?: string };
        if (asked.method === 'platform.getBlockByHeight' && Number(height) < 123) {
          return { error: { code: -32000, message: `couldn't get block at height ${height}: not found` } };
        }
        const { path, id, method, params } = asked;
        const reply = await fetch(node.url + path, {
          method: 'POST',
          body: JSON.stringify({ id, method, params }),
        });
        return { status: reply.status, body: await reply.text() };
      },
      { saysIdentity: true },
    );
    running.push(node, without);
    const { found } = await probeOf(without.url);
    expect(found.lines[0]).toMatchObject({
      what: 'P-chain',
      filled: expect.stringMatching(/^it waits for block 1, .*--from p=123 /) as string,
    });
  });

  test('where the operator says where a stream begins, it begins there, or waits; a chain may be named', async () => {
    const node = await startExcerptNode();
    running.push(node);
    const lineOf = async (chosen: Partial<ChosenStreams>, what: string) =>
      (await probeOf(node.url, chosen)).found.lines.find((each) => each.what.startsWith(what))!.filled;
    const from = { p: 7n, x: 'now', 'c-atomic': 1000n } as const;
    expect(await lineOf({ from }, 'P-chain')).toBe('from block 7');
    expect(await lineOf({ from }, 'X-chain since')).toBe('from block 145, the next one');
    expect(await lineOf({ from }, 'C-chain, atomic')).toBe('from block 1000');
    // It offers no traces: follow leaves the stream out, wherever it is to begin, unless it is named.
    const traces = 'internal transactions';
    expect(await lineOf({ from: { internals: 5n } }, traces)).toBe('not filled');
    expect(await lineOf({ only: ['internals'] }, traces)).toBe('it waits');
  });

  test.skipIf(!hasRecordedNode)('of an EVM chain the beginning that names it has priority', async () => {
    const node = await startRecordedNode('network-a');
    running.push(node);
    const { text } = await probeOf(node.url, {
      from: { internals: 3n, 'internals:43337': 5n, 'nfts:43337': { since: 1_764_028_800 }, 'nfts:1': 9n },
    });
    expect(text).toMatch(/internal transactions of the C-chain +from block 5\n/);
    expect(text).toMatch(
      /NFTs of the C-chain +from block 551, the next one, and then of the past down to 2025-11-25\n/,
    );
    expect(text).toMatch(/balances of the C-chain +from genesis/);
  });

  test.skipIf(!hasRecordedNode)(
    'balances of tokens need receipts, and those of the coin do not',
    async () => {
      const node = await startRecordedNode('network-a');
      const other = await startAlteredNode(node.url, ({ method }) =>
        method === 'eth_getBlockReceipts' ? lacks(method) : null,
      );
      running.push(node, other);
      expect((await probeOf(other.url)).text).toMatch(/balances of the C-chain +from genesis/);
      expect((await probeOf(other.url, { tokens: ['all'] })).text).toMatch(
        /balances of the C-chain +not filled\n.*no node offers traces .*, and with --token eth_getBlockReceipts;/,
      );
      expect((await probeOf(other.url, { tokens: ['all'], only: ['balances'] })).text).toMatch(
        /balances of the C-chain +it waits\n.*, and with --token eth_getBlockReceipts/,
      );
    },
  );

  test('a P-chain that begins later says whether a node gives the state of stakers now', async () => {
    const node = await startExcerptNode();
    running.push(node);
    let time = '2027-11-25T00:00:00Z';
    const other = await startAlteredNode(node.url, ({ method }) =>
      method === 'platform.getTimestamp'
        ? { result: { timestamp: time } }
        : method === 'platform.getValidatorFeeState'
          ? { error: { code: -32000, message: `rpc: can't find method "${method}"` } }
          : null,
    );
    running.push(other);
    const hintOf = async () => {
      const { found } = await probeOf(other.url, { from: { p: 'now' } });
      return found.lines.find(({ what }) => what === 'P-chain')!.hint;
    };
    expect(await hintOf()).toMatch(
      /taken from the node, at its newest block\. It cannot be taken now: the node does not know the fee/,
    );
    time = '2020-11-25T00:00:00Z';
    expect(await hintOf()).toMatch(/It cannot be taken now: before Durango stakers may wait/);
    expect((await probeOf(other.url)).found.lines[0]!.hint).not.toContain('cannot be taken');
  });

  test('a node that bootstraps a chain says so', async () => {
    const node = await startExcerptNode();
    const proxy = await openNodeProxy(node.url, { faults: { bootstrapping: ['/ext/bc/P'] } });
    running.push(node, proxy);
    const { found } = await probeOf(proxy.url);
    expect(found.problem).toContain('still bootstrapping');
  });

  test('an address without a node is not taken for one whose host name is refused', async () => {
    expect((await probeOf(`http://127.0.0.1:${await freePort()}`)).text).toContain('nothing listens there');
    const strict = await startScriptedNode(() => ({ status: 403, body: 'invalid host specified\n' }), {
      saysIdentity: true,
    });
    running.push(strict);
    expect((await probeOf(strict.url)).text).toContain('--http-allowed-hosts');
  });
});
