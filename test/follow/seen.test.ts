import { afterEach, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { declaredIn } from '../harness/promql.js';

const gateways: TestApp[] = [];
afterEach(() => Promise.all(gateways.splice(0).map((gateway) => gateway.close())));

const NOW = Date.UTC(2026, 10, 1);
const HOUR = 3_600_000;

/** A gateway on a database that was followed: p is up to date, x behind and waiting, c-atomic begins. */
async function followed(env: Record<string, string> = {}): Promise<TestApp> {
  const gateway = await createApp(env);
  gateways.push(gateway);
  gateway.clock.now = NOW;
  const { prisma } = gateway.storage;
  const common = { network: 'fuji', firstHeight: 0n, counters: {} } as const;
  await prisma.followPipeline.createMany({
    data: [
      {
        ...common,
        name: 'p',
        nextHeight: 101n,
        head: 100n,
        state: 'following',
        counters: { transaction: 7, utxo: 20 },
        currentAt: new Date(NOW - 2000),
      },
      {
        ...common,
        name: 'x',
        nextHeight: 11n,
        head: 1244n,
        state: 'waiting',
        note: 'the node <bootstraps>',
        lastTime: BigInt(NOW - 2 * HOUR) / 1000n,
      },
      { ...common, name: 'c-atomic', nextHeight: 0n, state: 'following' },
    ],
  });
  await prisma.followEndpoint.create({
    data: { name: 'http://127.0.0.1:9650', state: 'aside', reason: 'it lies', since: new Date(NOW) },
  });
  await prisma.followRequest.createMany({
    data: [
      { network: 'fuji', method: 'platform.getHeight', outcome: 'ok', count: 12n },
      { network: 'fuji', method: 'platform.getHeight', outcome: 'busy', count: 3n },
    ],
  });
  return gateway;
}

test('/metrics says how far each chain is, what was written, and how the nodes are doing', async () => {
  const gateway = await followed();
  await gateway.get('/metrics');
  const { text } = await gateway.get('/metrics');
  const lines = text.split('\n').filter((line) => line.startsWith('moraine_follow_'));
  expect(lines.sort()).toEqual(
    [
      'moraine_follow_height{network="fuji",chain="p"} 100',
      'moraine_follow_height{network="fuji",chain="x"} 10',
      'moraine_follow_height{network="fuji",chain="c-atomic"} -1',
      'moraine_follow_head{network="fuji",chain="p"} 100',
      'moraine_follow_head{network="fuji",chain="x"} 1244',
      'moraine_follow_lag_seconds{network="fuji",chain="p"} 2',
      'moraine_follow_lag_seconds{network="fuji",chain="x"} 7200',
      ...['p', 'x', 'c-atomic'].map((chain) => `moraine_follow_stopped{network="fuji",chain="${chain}"} 0`),
      ...['p', 'x', 'c-atomic'].map((chain) => `moraine_follow_gaps{network="fuji",chain="${chain}"} 0`),
      ...['p', 'x', 'c-atomic'].map(
        (chain) => `moraine_follow_refused_rows_total{network="fuji",chain="${chain}"} 0`,
      ),
      'moraine_follow_state_differs{network="fuji",chain="p"} 0',
      'moraine_follow_rows_total{network="fuji",chain="p",kind="transaction"} 7',
      'moraine_follow_rows_total{network="fuji",chain="p",kind="utxo"} 20',
      'moraine_follow_requests_total{method="platform.getHeight",outcome="ok"} 12',
      'moraine_follow_requests_total{method="platform.getHeight",outcome="busy"} 3',
      'moraine_follow_endpoint_state{endpoint="1",state="ok"} 0',
      'moraine_follow_endpoint_state{endpoint="1",state="lagging"} 0',
      'moraine_follow_endpoint_state{endpoint="1",state="aside"} 1',
      'moraine_follow_endpoint_state{endpoint="1",state="waiting"} 0',
      'moraine_follow_endpoint_state{endpoint="1",state="stopped"} 0',
    ].sort(),
  );
  expect(declaredIn(text).get('moraine_follow_rows_total')).toBe('counter');
});

test('gauges of the stream of NFTs have the name too that it had with messages, for rules of before', async () => {
  const gateway = await followed();
  await gateway.storage.prisma.followPipeline.create({
    data: {
      network: 'fuji',
      name: 'nfts:43113',
      state: 'following',
      firstHeight: 0n,
      nextHeight: 8n,
      head: 9n,
      counters: { nft_token: 7 },
    },
  });
  await gateway.get('/metrics');
  const { text } = await gateway.get('/metrics');
  for (const chain of ['nfts:43113', 'logs:43113'])
    expect(text).toContain(`moraine_follow_height{network="fuji",chain="${chain}"} 7\n`);
  // A sum over all streams counts each row once.
  expect(text.match(/^moraine_follow_rows_total\{.*kind="nft_token"\} 7$/gm)).toHaveLength(1);
});

test('/ready and /metrics tell what is left of the past, and how far each range of it is', async () => {
  const gateway = await followed();
  const { prisma } = gateway.storage;
  const name = 'internals:43113';
  const stream = { network: 'fuji', name, state: 'following', counters: { internal_tx: 300 } } as const;
  await prisma.followPipeline.create({
    data: {
      ...stream,
      firstHeight: 5000n,
      nextHeight: 5100n,
      head: 5099n,
      pastGoal: 1000n,
      pastBlocksPerHour: 36_000n,
    },
  });
  const range = (first: bigint, next: bigint) => ({
    network: 'fuji' as const,
    name,
    firstHeight: first,
    nextHeight: next,
    endHeight: first + 100n,
    counters: {},
  });
  await prisma.followRange.createMany({ data: [range(4800n, 4850n), range(4900n, 4920n)] });
  const ready = await gateway.get('/ready');
  const { message } = (ready.body as { info: { follow: { message: string } } }).info.follow;
  expect(message).toContain(
    'of the past down to block 1,000 are missing 3,930 blocks, about 7 min at 10 blocks/s, about 6.4 MB; ' +
      '2 ranges are read, the newest has 20 of 100 blocks from 4,900 on',
  );
  await gateway.get('/metrics');
  const { text } = await gateway.get('/metrics');
  const labels = `network="fuji",chain="${name}"`;
  expect(text).toContain(`moraine_follow_past_blocks_left{${labels}} 3930`);
  expect(text).toContain(`moraine_follow_range_blocks_left{${labels},range="1"} 80`);
  expect(text).toContain(`moraine_follow_range_blocks_left{${labels},range="2"} 50`);
});

test('/ready tells how far each chain is, and is 503 only for one that has stopped', async () => {
  const gateway = await followed();
  const ready = await gateway.get('/ready');
  expect(ready.status).toBe(200);
  const { status, message } = (ready.body as { info: { follow: { status: string; message: string } } }).info
    .follow;
  expect(status).toBe('up');
  expect(message.split('; ')).toEqual([
    'fuji c-atomic: has not begun',
    'fuji p: up to date',
    'fuji x: 1,234 blocks behind, data 2 h old, waiting: the node <bootstraps>',
  ]);
  await gateway.storage.prisma.followPipeline.updateMany({
    where: { name: 'x' },
    data: { state: 'stopped', note: 'block 11 is another' },
  });
  const stopped = await gateway.get('/ready');
  expect(stopped.status).toBe(503);
  expect(stopped.text).toContain('stopped: block 11 is another');
});

test('a state of stakers that is not the chain’s is shown with its block, and is no reason for a 503', async () => {
  const gateway = await followed();
  await gateway.storage.prisma.followStaking.create({
    data: {
      network: 'fuji',
      chainTime: 0n,
      knowsStakers: true,
      knowsL1Validators: true,
      excess: 0,
      accrued: 0,
      price: 0,
      difference: 'the supply is 2 on the node, and 1 here',
      differentSince: 1500n,
    },
  });
  const ready = await gateway.get('/ready');
  expect(ready.status).toBe(200);
  expect(ready.text).toContain(
    'fuji p: up to date (estimated rewards and subnet metrics are not written since block 1,500: the supply is 2 on the node, and 1 here)',
  );
  await gateway.get('/metrics');
  const { text } = await gateway.get('/metrics');
  expect(text).toContain('moraine_follow_state_differs{network="fuji",chain="p"} 1');
});

test('blocks with gaps are counted and shown, and are no reason for a 503', async () => {
  const gateway = await followed();
  const { prisma } = gateway.storage;
  const gap = {
    network: 'fuji' as const,
    name: 'internals:43113',
    blockId: '0x1',
    transactions: ['0x2'],
    reason: 'it could not trace a transaction',
    nextTry: new Date(NOW),
  };
  await prisma.followPipeline.create({
    data: {
      network: 'fuji',
      name: gap.name,
      firstHeight: 0n,
      nextHeight: 9001n,
      head: 9000n,
      counters: {},
      state: 'following',
      currentAt: new Date(NOW),
    },
  });
  await prisma.followGap.create({ data: { ...gap, height: 1234n } });
  const ready = await gateway.get('/ready');
  expect(ready.status).toBe(200);
  expect(ready.text).toContain(
    'fuji internals:43113: up to date (block 1,234 has a gap, which is asked for again)',
  );
  await prisma.followGap.create({ data: { ...gap, height: 77n } });
  await expect
    .poll(async () => (await gateway.get('/ready')).text)
    .toContain('up to date (2 blocks have gaps, the first is 77; they are asked for again)');
  await gateway.get('/metrics');
  const { text } = await gateway.get('/metrics');
  expect(text).toContain('moraine_follow_gaps{network="fuji",chain="internals:43113"} 2');
  const query = '{ chainStatus(network: testnet) { blockchainAlias blocksWithGaps } }';
  const { data } = await gateway.graphql<{ chainStatus: object[] }>(query);
  expect(data.chainStatus).toContainEqual({ blockchainAlias: 'p-chain', blocksWithGaps: '0' });
});

test('with FOLLOW_LAG_SECONDS it is 503 while data are older', async () => {
  const gateway = await followed({ FOLLOW_LAG_SECONDS: '10' });
  const { prisma } = gateway.storage;
  await prisma.followPipeline.deleteMany({ where: { name: { not: 'p' } } });
  expect((await gateway.get('/ready')).status).toBe(200);
  gateway.clock.now += 10_000;
  expect((await gateway.get('/ready')).status).toBe(503);
});

test('a follower that has not met its node is seen, and is late with FOLLOW_LAG_SECONDS, until it does not ask any longer', async () => {
  const gateway = await createApp({ FOLLOW_LAG_SECONDS: '10' });
  gateways.push(gateway);
  const nodes = 'http://127.0.0.1:9650';
  const now = Date.now();
  gateway.clock.now = now;
  await gateway.storage.prisma.followWaiting.create({
    data: {
      nodes,
      network: 'fuji',
      isL1: false,
      note: 'nothing listens there',
      since: new Date(now - 9000),
      seenAt: new Date(now),
    },
  });
  const ready = await gateway.get('/ready');
  expect(ready.status).toBe(200);
  expect(ready.text).toContain(`a follower has waited for ${nodes} for 9 s: nothing listens there`);
  const { data } = await gateway.graphql<{ chainStatus: object[] }>(
    '{ chainStatus { blockchainAlias isFollowed waitingTimestamp } }',
  );
  const since = Math.floor((now - 9000) / 1000);
  expect(data.chainStatus).toMatchObject(
    ['p-chain', 'x-chain', 'c-chain'].map((blockchainAlias) => ({
      blockchainAlias,
      isFollowed: false,
      waitingTimestamp: since,
    })),
  );
  await gateway.get('/metrics');
  expect((await gateway.get('/metrics')).text).toContain(
    `moraine_follow_waiting_seconds{nodes="${nodes}"} 9`,
  );
  gateway.clock.now += 2000;
  await expect.poll(async () => (await gateway.get('/ready')).status).toBe(503);
  gateway.clock.now += 300_000;
  await expect.poll(async () => (await gateway.get('/ready')).status).toBe(200);
});

test('the first screen says how far each chain is', async () => {
  const gateway = await followed();
  const { text } = await gateway.get('/overview', { accept: 'text/html' });
  expect(text).toContain('Followed: fuji p: up to date');
  expect(text).toContain('1,234 blocks behind');
  expect(text).toContain('the node &#60;bootstraps&#62;');
});

test('where nothing is followed, nothing says so', async () => {
  const gateway = await createApp();
  gateways.push(gateway);
  expect((await gateway.get('/ready')).text).not.toContain('follow');
  expect((await gateway.get('/')).text).not.toContain('Followed');
});
