import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import { meet } from '../../src/follow/network/meet.js';
import { openNode } from '../../src/follow/node/nodes.js';
import { openPipelines } from '../../src/follow/open-pipelines.js';
import { GrowingPauses } from '../../src/follow/pauses.js';
import { WaitingNotes } from '../../src/follow/status/waiting.js';
import { contentsOf } from '../../src/load-sample.js';
import { startAlteredNode } from '../harness/altered-node.js';
import { createApp, type TestApp } from '../harness/app.js';
import { excerptGenesis, startExcerptNode } from '../harness/excerpt-node.js';
import { freePort } from '../harness/free-port.js';
import { shortPauses } from '../harness/node-client.js';
import type { NodeServer } from '../harness/node-server.js';
import type { Said } from '../harness/scripted-node.js';

let gateway: TestApp;
let honest: NodeServer;
const log = pino({ level: 'silent' });

beforeAll(async () => {
  honest = await startExcerptNode();
  gateway = await createApp({ FOLLOW_LAG_SECONDS: '60' });
});
afterAll(async () => {
  await gateway.close();
  await honest.close();
  adoptIdentities({});
});

/** Meets a node as `moraine follow --as fuji` does. */
function meetNode(url: string) {
  const control = new AbortController();
  const { signal } = control;
  const { storage } = gateway;
  const nodes = openNode([url], { log, pauses: shortPauses, patienceMs: 250 });
  const waiting = new WaitingNotes(storage.prisma, log);
  const settings = {
    FOLLOW_AS: 'fuji' as const,
    FOLLOW_GENESIS: excerptGenesis,
    FOLLOW_ONLY: [],
    FOLLOW_TOKENS: [],
    FOLLOW_TELEPORTERS: [],
  };
  const position = { nodes, storage, contents: contentsOf, log };
  const work = () => openPipelines(position, settings, signal);
  const meeting = { nodes, storage, waiting, as: undefined, log, signal, pauses: new GrowingPauses(5, 20) };
  const met = meet(work, meeting).finally(() => nodes.close());
  return { met, giveUp: () => control.abort(new Error('the test gives up')) };
}

const noteOf = async (url: string) =>
  (await gateway.storage.prisma.followWaiting.findUnique({ where: { nodes: url } }))?.note;

/** What is asked at the start. */
const calls = [
  'info.getNetworkID',
  'info.getBlockchainID',
  'info.upgrades',
  'platform.getStakingAssetID',
  'platform.getBlockByHeight',
  'platform.getValidatorFeeConfig',
  'eth_chainId',
  'eth_blockNumber',
] as const;
const wrong: Readonly<Record<string, Said>> = {
  'a page': { status: 200, body: '<html><body>starting</body></html>' },
  nothing: { status: 200, body: '' },
  'half an answer': { status: 200, body: '{"jsonrpc":"2.0","id":1,"res' },
  null: { result: null },
  'a number': { result: 7 },
  letters: { result: 'abc' },
  'letters in members': {
    result: {
      networkID: 'abc',
      blockchainID: 'abc',
      assetID: 'abc',
      block: 'abc',
      cortinaTime: 'abc',
      target: 'abc',
    },
  },
  'numbers that are too large': {
    result: {
      networkID: '9'.repeat(70),
      blockchainID: 1,
      assetID: 1,
      block: 1,
      cortinaTime: 1e300,
      target: -1,
    },
  },
  'other bytes': { result: { block: '0x00000000000000010203040506', encoding: 'hex' } },
  'a list': { result: [] },
  'an error': { error: { code: -32000, message: 'something is wrong' } },
  'an error of ours': { error: { code: -32602, message: 'invalid argument' } },
  'an error without a text': { error: [] },
};
test('what no node answers at the start is waited out, with one line that says which call it was', async () => {
  const cases = calls.flatMap((method) =>
    Object.entries(wrong).map(([what, said]) => ({ method, what, said })),
  );
  const found: Record<string, string> = {};
  const expected: Record<string, unknown> = {};
  const tryCase = async ({ method, what, said }: (typeof cases)[number]): Promise<void> => {
    let isWrong = true;
    const node = await startAlteredNode(honest.url, (asked) =>
      isWrong && asked.method === method ? said : null,
    );
    const { met } = meetNode(node.url);
    let end: string | undefined;
    met.then(
      () => (end = 'met'),
      (error: unknown) => (end = String((error as Error).stack)),
    );
    const name = `${method} ${what}`;
    const line = new RegExp(`^${node.url}, ${method}: [^\\n]{5,400}$`);
    expected[name] = expect.stringMatching(line);
    const say = async () => end ?? (await noteOf(node.url)) ?? '';
    // On a slow machine a call may find no answer in time first.
    await expect
      .poll(say, { timeout: 20_000, interval: 30 })
      .toEqual(expected[name])
      .catch(() => undefined);
    found[name] = await say();
    isWrong = false;
    await met.catch(() => undefined);
    if (end !== 'met') found[name] = String(end);
    else expect(await noteOf(node.url)).toBeUndefined();
    await node.close();
  };
  const waiting = [...cases];
  const work = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) await tryCase(next);
  };
  await Promise.all(Array.from({ length: 8 }, work));
  expect(found).toEqual(expected);
});

test('who waits for a node is on /ready, in the metrics, in chainStatus and on the first screen, and 503 after FOLLOW_LAG_SECONDS', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  gateway.clock.now = Date.now();
  expect((await gateway.get('/ready')).status).toBe(200);
  const { met } = meetNode(url);
  const said = new RegExp(
    `a follower has waited for ${url} for \\d+ s: ${url}, info.getNetworkID: nothing listens there`,
  );
  await expect.poll(async () => (await gateway.get('/ready')).text, { timeout: 30_000 }).toMatch(said);
  expect((await gateway.get('/ready')).status).toBe(200);
  const statusLater = async () => {
    // Each time: the follower may have read the former time, and writes it again.
    await gateway.storage.prisma.followWaiting.updateMany({
      data: { since: new Date(Date.now() - 120_000) },
    });
    return (await gateway.get('/ready')).status;
  };
  await expect.poll(statusLater, { timeout: 30_000 }).toBe(503);
  await gateway.get('/metrics');
  const { text } = await gateway.get('/metrics');
  expect(text).toMatch(new RegExp(`moraine_follow_waiting_seconds\\{nodes="${url}"\\} (?:9|1[0-2])\\d`));
  const query = '{ chainStatus { blockchainAlias isFollowed waitingTimestamp } }';
  const { data } = await gateway.graphql<{ chainStatus: { waitingTimestamp: number | null }[] }>(query);
  expect(data.chainStatus.length).toBeGreaterThanOrEqual(3);
  expect(data.chainStatus.every(({ waitingTimestamp }) => waitingTimestamp !== null)).toBe(true);
  expect((await gateway.get('/overview', { accept: 'text/html' })).text).toContain(`waited for ${url}`);
  const node = await startExcerptNode({}, port);
  await met;
  await expect
    .poll(async () => (await gateway.get('/ready')).text, { timeout: 30_000 })
    .not.toContain('waited');
  await node.close();
});

test('a follower that is asked to end while it waits ends', async () => {
  const { met, giveUp } = meetNode(`http://127.0.0.1:${await freePort()}`);
  giveUp();
  await expect(met).rejects.toThrow('the test gives up');
});
