import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import type { Nodes } from '../../../src/follow/node/nodes.js';
import { hexOf, nodeErrorOf, openTestNodes } from '../../harness/node-client.js';
import { type Asked, type Said, type ScriptedNode, startScriptedNode } from '../../harness/scripted-node.js';

const running: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const each of running.splice(0).reverse()) await each.close();
});

async function node(
  say: (asked: Asked) => Said | Promise<Said>,
  options: Parameters<typeof startScriptedNode>[1] = {},
): Promise<ScriptedNode> {
  const started = await startScriptedNode(say, options);
  running.push(started);
  return started;
}

function open(url: string, options: Parameters<typeof openTestNodes>[1] = {}): Nodes {
  const nodes = openTestNodes([url], options);
  running.push(nodes);
  return nodes;
}

const block: Said = { result: { block: hexOf(Buffer.from('block')), encoding: 'hex' } };

describe('how many calls run at a time', () => {
  /** Counts the calls that run, and ends them when asked. */
  async function counted(say: () => Said) {
    const state = { running: 0, most: 0 };
    const { url } = await node(async () => {
      state.running += 1;
      state.most = Math.max(state.most, state.running);
      await new Promise((resolve) => setTimeout(resolve, 2));
      state.running -= 1;
      return say();
    });
    return { url, state };
  }

  test('grows with good answers, up to the bound', async () => {
    const { url, state } = await counted(() => block);
    const { platform, endpoints } = open(url, { concurrency: 6 });
    expect(endpoints()[0]?.allowed).toBe(4);
    await platform.blocks(0n, 300);
    expect(endpoints()[0]).toMatchObject({ allowed: 6, running: 0 });
    expect(state.most).toBe(6);
  });

  for (const [what, said] of [
    ['429', { status: 429, body: '' }],
    ['503', { status: 503, body: '' }],
  ] as const) {
    test(`is halved once by many answers ${what}, and the calls succeed later`, async () => {
      let bad = false;
      const { url } = await counted(() => (bad ? said : block));
      const { platform, endpoints } = open(url, { concurrency: 16, patienceMs: 20_000 });
      await platform.blocks(0n, 1_000);
      expect(endpoints()[0]?.allowed).toBe(16);
      bad = true;
      const blocks = platform.blocks(0n, 16);
      await expect.poll(() => endpoints()[0]?.allowed).toBeLessThan(16);
      expect(endpoints()[0]).toMatchObject({ state: 'aside' });
      bad = false;
      expect(await blocks).toHaveLength(16);
      expect(endpoints()[0]).toMatchObject({ state: 'ok' });
    });
  }

  test('is never less than one', async () => {
    const { url } = await node(() => ({ status: 429, body: '' }));
    const { platform, endpoints } = open(url, { patienceMs: 100 });
    expect(await nodeErrorOf(platform.blocks(0n, 20))).toMatchObject({
      failureClass: 'wait',
      reason: 'busy',
    });
    expect(endpoints()[0]?.allowed).toBe(1);
  });

  test('a call that waited longer than its patience for its place is refused once, and goes on', async () => {
    const refused = new Set<string>();
    const heights: string[] = [];
    const { url } = await node(async ({ params }) => {
      const { height } = params as { height: string };
      heights.push(height);
      await sleep(20);
      if (!['0', '15'].includes(height) || refused.has(height)) return block;
      refused.add(height);
      return { status: 503, body: '' };
    });
    const { platform } = open(url, { concurrency: 1, patienceMs: 100 });
    expect(await platform.blocks(0n, 16)).toHaveLength(16);
    expect([...refused]).toEqual(['0', '15']);
    // What came first stays first: blocks are delivered in order.
    expect(heights.lastIndexOf('0')).toBeLessThan(8);
  });
});

describe('what an answer may be', () => {
  test('one that is too large is cut while it arrives', async () => {
    let sent = 0;
    const { url } = await node(() => ({
      write: (response) => {
        const piece = Buffer.alloc(256 * 1024, ' ');
        const more = () => {
          sent += piece.length;
          if (!response.destroyed) response.write(piece, more);
        };
        response.on('close', () => response.destroy());
        more();
      },
    }));
    const { platform } = open(url, { patienceMs: 0 });
    expect(await nodeErrorOf(platform.currentSupply())).toMatchObject({ reason: 'answer-too-large' });
    // What the sockets between take, on top of the bound of 1 MiB.
    expect(sent).toBeLessThan(32 * 1024 ** 2);
  });

  test('one that announces too much is not read', async () => {
    const { url } = await node(() => ({
      write: (response) => response.writeHead(200, { 'content-length': 2 ** 40 }).write('{'),
    }));
    const { platform } = open(url, { patienceMs: 0 });
    expect(await nodeErrorOf(platform.currentSupply())).toMatchObject({ reason: 'answer-too-large' });
  });

  test('silence is a time-out, before the answer and within it', async () => {
    for (const start of ['', '{"jsonrpc"']) {
      const { url } = await node(() => ({
        write: (response) => {
          if (start !== '') response.writeHead(200).write(start);
        },
      }));
      const { platform } = open(url, { patienceMs: 0, timeoutMs: 100 });
      expect(await nodeErrorOf(platform.currentSupply())).toMatchObject({
        failureClass: 'wait',
        reason: 'timeout',
      });
    }
  });

  test('a redirect is not followed', async () => {
    const elsewhere = await node(() => block);
    const { url } = await node(() => ({ status: 307, body: '', headers: { location: elsewhere.url } }));
    const { platform } = open(url, { patienceMs: 0 });
    const error = await nodeErrorOf(platform.currentSupply());
    expect(error).toMatchObject({ failureClass: 'operator', reason: 'redirected' });
    expect(elsewhere.asked).toEqual([]);
  });

  test('the answer to another call is none', async () => {
    const { url } = await node(() => ({
      status: 200,
      body: '{"jsonrpc":"2.0","id":-1,"result":{"supply":"1"}}',
    }));
    const { platform } = open(url, { patienceMs: 0 });
    expect(await nodeErrorOf(platform.currentSupply())).toMatchObject({ reason: 'unreadable' });
  });

  test('whole numbers beyond 2^53 are exact, as text and as number', async () => {
    for (const supply of ['"720000000000000001"', '720000000000000001']) {
      const { url } = await node(({ id }) => ({
        status: 200,
        body: `{"jsonrpc":"2.0","id":${String(id)},"result":{"supply":${supply}}}`,
      }));
      expect(await open(url).platform.currentSupply()).toMatchObject({ supply: 720000000000000001n });
    }
  });
});

describe('batches of the EVM', () => {
  const header = ({ params }: Asked): Said => {
    const [height] = params as [string];
    return Number(height) > 99
      ? { error: { code: -32000, message: 'cannot query unfinalized data' } }
      : { result: { number: height, hash: `hash of ${height}` } };
  };

  test('have what was asked for in order, and end where the chain ends', async () => {
    const { url } = await node(header);
    const { evm } = open(url);
    const headers = await evm.headers(0n, 250);
    expect(headers.map(({ value }) => Number(value.number))).toEqual(
      Array.from({ length: 100 }, (_, at) => at),
    );
    expect(await nodeErrorOf(evm.headers(100n, 1))).toMatchObject({
      failureClass: 'wait',
      reason: 'not-accepted-yet',
    });
  });

  const sentence = 'you may not do so many things at once';
  const asError = (code: number) =>
    JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message: sentence } });
  const tooMany: Record<string, unknown>[] = [
    { status: 413, body: '' },
    { status: 400, body: sentence },
    { status: 403, body: asError(-32600) },
    { status: 405, body: '' },
    { status: 418, body: sentence },
    { status: 429, body: sentence },
    { status: 500, body: asError(31) },
    { status: 503, body: sentence },
    { status: 200, body: asError(-32000) },
    { status: 200, body: asError(-32601) },
    { status: 200, body: asError(-32700) },
    { status: 200, body: asError(429) },
    { status: 200, body: '<html>no</html>' },
    { status: 200, body: '[]' },
  ];
  test.each(tooMany)('become smaller where a server refuses large ones with %j', async (refusal) => {
    const { url, asked } = await node(header, { mostInBatch: 3, tooMany: refusal as never });
    const { evm } = open(url, { patienceMs: 20_000 });
    expect(await evm.headers(0n, 50)).toHaveLength(50);
    expect(asked).toHaveLength(50);
    const before = asked.length;
    expect(await evm.headers(0n, 60)).toHaveLength(60);
    expect(asked.length - before).toBe(60);
  });

  test('a batch of which one call is refused loses nothing else, and the next ones are as large as before', async () => {
    const sizes: number[] = [];
    const { url } = await node(
      (asked) =>
        (asked.params as string[])[0] === '0x7'
          ? { error: { code: -32000, message: sentence } }
          : header(asked),
      { batches: sizes },
    );
    const { evm } = open(url, { patienceMs: 100 });
    expect(await nodeErrorOf(evm.headers(0n, 20))).toMatchObject({ reason: 'node-error' });
    sizes.length = 0;
    expect(await evm.headers(8n, 20)).toHaveLength(20);
    expect(sizes).toEqual([20]);
  });

  test('one call that is too large is waited for: another node, or this one later, may take it', async () => {
    const { url } = await node(() => ({ status: 413, body: '' }));
    const { evm } = open(url);
    expect(await nodeErrorOf(evm.headers(0n, 8))).toMatchObject({
      failureClass: 'wait',
      reason: 'too-large',
    });
  });

  test('a block under another number is not taken', async () => {
    const { url } = await node(() => ({ result: { number: '0x5', hash: '0x00' } }));
    const { evm } = open(url, { patienceMs: 0 });
    expect(await nodeErrorOf(evm.headers(4n, 1))).toMatchObject({
      failureClass: 'elsewhere',
      reason: 'wrong',
    });
  });
});
