import { afterEach, describe, expect, test } from 'vitest';
import { ZERO_ID } from '../../../src/avalanche/codec/ids.js';
import { wrongAnswer } from '../../../src/follow/node/failed.js';
import type { Nodes } from '../../../src/follow/node/nodes.js';
import { Producers } from '../../../src/follow/primary/producers.js';
import { madeOutput } from '../../../src/follow/staking/made-output.js';
import { freePort } from '../../harness/free-port.js';
import { hexOf, nodeErrorOf, openTestNodes } from '../../harness/node-client.js';
import { type Asked, type Said, type ScriptedNode, startScriptedNode } from '../../harness/scripted-node.js';

const running: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const each of running.splice(0).reverse()) await each.close();
});

const block = (text: string): Said => ({ result: { block: hexOf(Buffer.from(text)), encoding: 'hex' } });
const notFound: Said = { error: { code: -32000, message: "couldn't get block at height 7: not found" } };

async function node(say: (asked: Asked) => Said | Promise<Said>, options = {}): Promise<ScriptedNode> {
  const started = await startScriptedNode(say, options);
  running.push(started);
  return started;
}

function open(urls: string[], options: Parameters<typeof openTestNodes>[1] = {}): Nodes {
  const nodes = openTestNodes(urls, options);
  running.push(nodes);
  return nodes;
}

/** Answers the P-chain's head, and its blocks up to there. */
const upTo =
  (head: number, name: string) =>
  ({ method, params }: Asked) => {
    if (method === 'platform.getHeight') return { result: { height: String(head) } };
    return Number((params as { height: string }).height) <= head ? block(name) : notFound;
  };

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString();

describe('several endpoints', () => {
  test('the head is the one that most have, whatever a single one says', async () => {
    const heads = [9, 7, 1_000_000, 8, 3];
    const urls = await Promise.all(heads.map(async (head) => (await node(upTo(head, 'any'))).url));
    expect(await open(urls).platform.height()).toBe(8n);
    expect(await open(urls.slice(0, 2)).platform.height()).toBe(7n);
    expect(await open(urls.slice(0, 1)).platform.height()).toBe(9n);
  });

  test('the head of half of them is believed if the others do not get there, and a block above their head comes from it', async () => {
    const behind = await node(upTo(1, 'behind'));
    const ahead = await node(upTo(9, 'ahead'));
    const { platform, endpoints } = open([behind.url, ahead.url], { loneHeadMs: 50 });
    expect(await platform.height()).toBe(1n);
    expect(await platform.height({ settled: true })).toBe(9n);
    expect(await platform.height()).toBe(9n);
    expect(endpoints().map(({ state }) => state)).toEqual(['lagging', 'ok']);
    const blocks = await platform.blocks(6n, 4);
    expect(blocks.map(({ value, endpoint }) => [textOf(value), endpoint])).toEqual(
      Array.from({ length: 4 }, () => ['ahead', ahead.url]),
    );
    expect(behind.asked.filter(({ method }) => method === 'platform.getBlockByHeight')).toEqual([]);
  });

  test('what is not found below the head of one is read from another', async () => {
    const without = await node(({ method }) =>
      method.endsWith('Height') && method.endsWith('getHeight') ? { result: { height: '9' } } : notFound,
    );
    const other = await node(upTo(9, 'other'));
    const { platform } = open([without.url, other.url]);
    await platform.height();
    for (let height = 0n; height < 5n; height += 1n) {
      expect(textOf((await platform.blockByHeight(height)).value)).toBe('other');
    }
  });

  test('not found anywhere is said after a few rounds, with every endpoint', async () => {
    const one = await node(() => notFound);
    const two = await node(() => notFound);
    const { platform } = open([one.url, two.url]);
    const error = await nodeErrorOf(platform.blockByHeight(7n));
    expect(error).toMatchObject({ failureClass: 'elsewhere', reason: 'not-found' });
    expect(error.message).toContain(one.url);
    expect(error.message).toContain(two.url);
  });

  test('a wrong checksum is never an answer: another endpoint is asked', async () => {
    const wrong = await node(() => ({ result: { block: '0x00112233445566778899' } }));
    const right = await node(() => block('right'));
    const { platform, endpoints } = open([wrong.url, right.url]);
    for (let round = 0; round < 8; round += 1) {
      expect(textOf((await platform.blockByHeight(1n)).value)).toBe('right');
    }
    expect(wrong.asked.length).toBeGreaterThan(0);
    expect(endpoints()[1]?.state).toBe('ok');
  });

  test('an endpoint whose answer is disproved is set aside and named', async () => {
    const wrong = await node(() => block('wrong'));
    const right = await node(() => block('right'));
    const { platform, endpoints } = open([wrong.url, right.url], { pauses: { least: 60_000, most: 60_000 } });
    const read = (value: Uint8Array) => {
      if (textOf(value) === 'wrong') throw wrongAnswer('', 'wrong', 'its block 1 is not ours');
      return textOf(value);
    };
    for (let round = 0; round < 4; round += 1) {
      expect(await platform.blockByHeight(1n, { read })).toEqual({ value: 'right', endpoint: right.url });
    }
    expect(wrong.asked).toHaveLength(1);
    expect(endpoints()[0]).toMatchObject({ state: 'aside', until: expect.any(Number) as number });
    expect(endpoints()[0]?.reason).toContain('its block 1 is not ours');
  });

  const ofAnother = madeOutput({ txId: ZERO_ID, outputIndex: 0 }, ZERO_ID, 1n, {
    locktime: 0n,
    threshold: 0,
    addresses: [],
  });
  test.each([
    ['no outputs', Buffer.from('no output'), 'a reward of any cannot be read'],
    ['outputs of another transaction', ofAnother.bytes, 'rewards of any cannot be'],
  ])('rewards that are %s set their endpoint aside, and another one is asked', async (_are, given, why) => {
    const utxos = (...all: string[]): Said => ({ result: { utxos: all, encoding: 'hex' } });
    const wrong = await node(() => utxos(hexOf(given)));
    const right = await node(() => utxos());
    const nodes = open([wrong.url, right.url], { pauses: { least: 60_000, most: 60_000 } });
    const producers = new Producers(nodes, null);
    const { signal } = new AbortController();
    for (let round = 0; round < 4; round += 1)
      expect(await producers.rewards({ id: 'any', outputs: [] }, signal)).toEqual([]);
    expect(wrong.asked).toHaveLength(1);
    expect(nodes.endpoints()[0]).toMatchObject({
      state: 'aside',
      reason: expect.stringContaining(why) as string,
    });
  });

  test('a caller sets an endpoint aside, and learns whether another one is left', async () => {
    const one = await node(() => block('one'));
    const two = await node(() => block('two'));
    const nodes = open([one.url, two.url], { pauses: { least: 60_000, most: 60_000 }, patienceMs: 0 });
    expect(nodes.setAside(one.url, 'another parent')).toBe(true);
    expect((await nodes.platform.blockByHeight(1n)).endpoint).toBe(two.url);
    expect(nodes.setAside(two.url, 'another parent')).toBe(false);
    const error = await nodeErrorOf(nodes.platform.blockByHeight(1n));
    expect(error).toMatchObject({ failureClass: 'elsewhere', reason: 'wrong' });
    expect(error.message).toContain('another parent');
  });

  test('one of another network takes no part', async () => {
    const ours = await node(() => block('ours'));
    const theirs = await node(
      ({ method }) =>
        method.startsWith('info.') ? { result: { networkID: '5', blockchainID: 'other' } } : block('theirs'),
      { saysIdentity: true },
    );
    const { platform, endpoints } = open([ours.url, theirs.url], { pauses: { least: 60_000, most: 60_000 } });
    await platform.blockByHeight(1n);
    const blocks = await platform.blocks(0n, 20);
    expect(new Set(blocks.map(({ endpoint }) => endpoint))).toEqual(new Set([ours.url]));
    expect(endpoints()[1]?.reason).toContain('network 5');
  });

  test.each<[string, Said]>([
    ['status 400', { status: 400, body: 'Bad Request' }],
    ['status 405', { status: 405, body: '' }],
    ['code −32602', { error: { code: -32602, message: 'invalid argument 0' } }],
    ['code −32700', { error: { code: -32700, message: 'parse error' } }],
  ])(
    'what one refuses with %s is read from another, and asked for again where there is none',
    async (_, said) => {
      let isWell = false;
      const strange = await node((asked) => (isWell ? upTo(9, 'strange')(asked) : said));
      const other = await node(upTo(9, 'other'));
      const { platform } = open([strange.url, other.url]);
      for (let height = 0n; height < 5n; height += 1n)
        expect(textOf((await platform.blockByHeight(height)).value)).toBe('other');
      expect(strange.asked.length).toBeGreaterThan(0);
      const alone = open([strange.url]);
      expect(await nodeErrorOf(alone.platform.blockByHeight(1n))).toMatchObject({ failureClass: 'wait' });
      isWell = true;
      expect(textOf((await alone.platform.blockByHeight(1n)).value)).toBe('strange');
    },
  );

  test('two addresses with the same host and port have two names', async () => {
    const one = await node(() => block('one'));
    const { endpoints } = open([`${one.url}/first`, `${one.url}/second`]);
    expect(endpoints().map(({ name }) => name)).toEqual([one.url, `${one.url}#2`]);
  });
});

describe('a node that goes away and comes back', () => {
  test('is waited for: refused, then bootstrapping, then an answer', async () => {
    const port = await freePort();
    const { platform, endpoints } = open([`http://127.0.0.1:${port}`], { patienceMs: 20_000 });
    const answer = platform.blockByHeight(1n);
    await expect.poll(() => endpoints()[0]?.reason).toContain('nothing listens there');
    let boots = 3;
    const say = () =>
      boots-- > 0
        ? { status: 503, body: 'API call rejected because chain is not done bootstrapping' }
        : block('up');
    await node(say, { port });
    expect(textOf((await answer).value)).toBe('up');
    expect(endpoints()[0]).toMatchObject({ state: 'ok', reason: null, until: null });
  });

  test('one chain bootstraps while another answers', async () => {
    const { url } = await node(({ path }) =>
      path === '/ext/bc/P'
        ? block('P')
        : { status: 503, body: 'API call rejected because chain is not done bootstrapping' },
    );
    const { platform, avm } = open([url], { patienceMs: 50 });
    expect(await nodeErrorOf(avm.blockByHeight(1n))).toMatchObject({
      failureClass: 'wait',
      reason: 'bootstrapping',
    });
    expect(textOf((await platform.blockByHeight(1n)).value)).toBe('P');
  });

  test('the call ends with the reason of its signal, while it waits and while it runs', async () => {
    const stop = new AbortController();
    const silent = await node(() => ({ write: () => undefined }));
    const { platform } = open([silent.url, `http://127.0.0.1:${await freePort()}`], { concurrency: 1 });
    const calls = Array.from({ length: 5 }, () => platform.blockByHeight(1n, { signal: stop.signal }));
    const ends = Promise.allSettled(calls);
    await expect.poll(() => silent.asked.length).toBeGreaterThan(0);
    stop.abort(new Error('enough'));
    expect((await ends).map((end) => (end as PromiseRejectedResult).reason as Error)).toEqual(
      Array.from({ length: 5 }, () => new Error('enough')),
    );
  });
});
