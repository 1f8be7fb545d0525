import { afterEach, describe, expect, test } from 'vitest';
import { wrongAnswer } from '../../../src/follow/node/failed.js';
import type { Nodes } from '../../../src/follow/node/nodes.js';
import { excerptHeads, startExcerptNode } from '../../harness/excerpt-node.js';
import { nodeErrorOf, openTestNodes } from '../../harness/node-client.js';
import { type NodeFaults, type NodeProxy, openNodeProxy } from '../../harness/node-proxy.js';
import type { NodeServer } from '../../harness/node-server.js';

const running: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const each of running.splice(0).reverse()) await each.close();
});

async function between(
  faults: Partial<NodeFaults>,
  seed: number,
): Promise<{ proxy: NodeProxy; node: NodeServer }> {
  const node = await startExcerptNode();
  const proxy = await openNodeProxy(node.url, { seed, faults });
  running.push(node, proxy);
  return { proxy, node };
}

function open(urls: string[], options: Parameters<typeof openTestNodes>[1] = {}): Nodes {
  const nodes = openTestNodes(urls, { patienceMs: 60_000, timeoutMs: 1_000, ...options });
  running.push(nodes);
  return nodes;
}

/** A part of P, and the whole of X and the EVM's blocks. */
async function everything({ platform, avm, evm }: Nodes) {
  const { X, C } = excerptHeads;
  const bytesOf = (blocks: { value: Uint8Array }[]) =>
    blocks.map(({ value }) => Buffer.from(value).toString('hex'));
  return {
    P: bytesOf(await platform.blocks(0n, 200)),
    X: bytesOf(await avm.blocks(0n, X + 1)),
    C: (await evm.blocks(0n, C + 1)).map(({ value: { header, extraData } }) => [
      header.hash,
      Buffer.from(extraData).toString('hex'),
    ]),
  };
}

describe('between the client and a node', () => {
  const faults: [string, Partial<NodeFaults>][] = [
    ['answers come late', { delayMs: 40 }],
    ['connections end within answers', { cut: 0.05 }],
    ['calls are refused with 429 and 503', { tooMany: 0.02, unavailable: 0.02 }],
    ['bytes change on their way', { flip: 0.05 }],
  ];
  for (const [what, given] of faults) {
    test(`${what}, and every block arrives as it is`, async () => {
      const { proxy, node } = await between(given, 7);
      const truth = await everything(open([node.url]));
      expect(truth.P).toHaveLength(200);
      // Nothing proves the EVM's bytes but their hashes, which pipelines compute.
      const found = await everything(open([proxy.url]));
      if (given.flip) expect({ ...found, C: [] }).toEqual({ ...truth, C: [] });
      else expect(found).toEqual(truth);
      if (!given.delayMs) expect(Object.keys(proxy.counts).sort()).toEqual(Object.keys(given).sort());
    });
  }

  test('another block comes than was asked for, and the proof of the caller finds another endpoint', async () => {
    const { proxy, node } = await between({ swap: 0.1 }, 3);
    const { avm } = open([proxy.url, node.url]);
    const read = (bytes: Uint8Array, height: bigint) => {
      if (heightOf(bytes) === height) return height;
      throw wrongAnswer('', 'wrong', `it gave another block than ${height}`);
    };
    const blocks = await avm.blocks(1n, 140, { read });
    expect(blocks.map(({ value }) => value)).toEqual(Array.from({ length: 140 }, (_, at) => BigInt(at + 1)));
    expect(proxy.counts.swap).toBeGreaterThan(0);
  });

  test('another header comes than was asked for, which the client finds by itself', async () => {
    const { proxy } = await between({ swap: 0.05 }, 3);
    const { evm } = open([proxy.url]);
    const headers = await evm.headers(1n, 100);
    expect(headers.map(({ value }) => Number(value.number))).toEqual(
      Array.from({ length: 100 }, (_, at) => at + 1),
    );
    expect(proxy.counts.swap).toBeGreaterThan(0);
  });

  test('an endpoint lags, and what it lacks comes from the other', async () => {
    const { proxy, node } = await between({ lag: 100 }, 1);
    const { platform, endpoints } = open([proxy.url, node.url], { loneHeadMs: 0 });
    expect(await platform.height()).toBe(BigInt(excerptHeads.P));
    expect(endpoints()[0]).toMatchObject({ state: 'lagging' });
    const blocks = await platform.blocks(590n, 10);
    expect(new Set(blocks.map(({ endpoint }) => endpoint))).toEqual(new Set([node.url]));
  });

  test('an old head is named again, and counts', async () => {
    const { proxy, node } = await between({}, 1);
    node.heads.P = 10;
    const { platform } = open([proxy.url]);
    expect(await platform.height()).toBe(10n);
    node.heads.P = 20;
    proxy.faults.oldHead = 1;
    expect(await platform.height()).toBe(10n);
    proxy.faults.oldHead = 0;
    expect(await platform.height()).toBe(20n);
  });

  test('nothing answers, and the call says so when its patience is over', async () => {
    const { proxy } = await between({ silence: 1 }, 1);
    const { platform } = open([proxy.url], { patienceMs: 100, timeoutMs: 50 });
    expect(await nodeErrorOf(platform.height())).toMatchObject({ failureClass: 'wait', reason: 'timeout' });
  });
});

/** Of an X block: after version, type and parent. */
function heightOf(bytes: Uint8Array): bigint {
  return Buffer.from(bytes).readBigUInt64BE(2 + 4 + 32);
}
