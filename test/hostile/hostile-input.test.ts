import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CampaignReport } from './harness/campaign.js';
import { startGateway, type Gateway } from './harness/gateway.js';
import { anyDocument } from './harness/graphql-requests.js';
import { startProbe, type ProbeReport } from './harness/probe.js';
import { anyRequest } from './harness/requests.js';
import { attack, problemsOf, setStage, type Stage } from './harness/stage.js';

// HOSTILE_SEED makes the inputs of an earlier run again, HOSTILE_ONLY a single one of them by its index.
const setting = (name: string) => (process.env[name] ? Number(process.env[name]) : null);
const seed = setting('HOSTILE_SEED') ?? Date.now() % 2 ** 31;
const requests = setting('HOSTILE_REQUESTS') ?? 20_000;
const documents = setting('HOSTILE_DOCUMENTS') ?? 5_000;

let gateway: Gateway;
let stage: Stage;
let probe: { stop: () => Promise<ProbeReport> };
let before: Awaited<ReturnType<Gateway['handles']>>;
let idle: number;
const reports: CampaignReport[] = [];

beforeAll(async () => {
  console.log(`HOSTILE_SEED=${seed}`);
  gateway = await startGateway({ RATE_LIMITS: 'off' });
  stage = await setStage(gateway, { seed, only: setting('HOSTILE_ONLY') });
  idle = await gateway.metric('moraine_http_requests_in_flight');
  before = await settledHandles();
  probe = await startProbe(gateway.url);
});

afterAll(() => gateway?.close());

/** Open handles once the connections of those who went away are closed. */
async function settledHandles() {
  let last = await gateway.handles();
  for (let look = 0; look < 100; look += 1) {
    if (before && last.sockets <= before.sockets && last.files <= before.files) break;
    if (!before && look > 10) break;
    await sleep(200);
    last = await gateway.handles();
  }
  return last;
}

test('every answer to any REST request keeps its promises', async () => {
  const report = await attack(stage, gateway, { name: 'REST', count: requests, make: anyRequest });
  reports.push(report);
  expect(problemsOf([report], 'answer')).toEqual([]);
});

test('every answer to any GraphQL document keeps its promises', async () => {
  const report = await attack(stage, gateway, { name: 'GraphQL', count: documents, make: anyDocument });
  reports.push(report);
  expect(problemsOf([report], 'answer')).toEqual([]);
});

test('what is refused before it is a request has the body of the contract too', () => {
  expect(problemsOf(reports, 'refusal', 5)).toEqual([]);
});

test('right requests among them are answered, not refused', () => {
  for (const { right } of reports) expect(right.answered).toBeGreaterThanOrEqual(0.99 * right.sent);
});

test('health is answered all the time', async () => {
  const { asked, wrong, median, p99, worst } = await probe.stop();
  const [shownMedian, shownP99, shownWorst] = [median, p99, worst].map((each) => each.toFixed(0));
  console.log(
    `/health: ${asked} asked, median ${shownMedian} ms, p99 ${shownP99} ms, worst ${shownWorst} ms`,
  );
  expect(wrong).toEqual([]);
});

test('nothing is left of it: no request in flight, no handle, no fault in the log', async () => {
  const after = await settledHandles();
  const { now, peak } = gateway.memory();
  console.log(`memory ${mib(now)} MiB, at most ${mib(peak)} MiB; open ${JSON.stringify(after)}`);
  expect(gateway.lives()).toBe(true);
  expect(await gateway.metric('moraine_http_requests_in_flight')).toBe(idle);
  expect(after.sockets).toBeLessThanOrEqual(before.sockets);
  expect(after.files).toBeLessThanOrEqual(before.files);
  expect(gateway.faults()).toEqual([]);
});

test('with limits on, answers keep their promises too', async () => {
  const plan = { requests: 50, seconds: 10 };
  const PLANS = JSON.stringify({ anonymous: plan, free: plan });
  const limited = await startGateway(
    { PLANS, RATE_LIMIT_TOLERANCE: '20', RATE_LIMIT_BLOCK_SECONDS: '2' },
    gateway,
  );
  try {
    const [rest, graphql] = [Math.ceil(requests / 20), Math.ceil(documents / 20)];
    const made = [
      await attack(stage, limited, { name: 'REST, limited', count: rest, make: anyRequest }),
      await attack(stage, limited, { name: 'GraphQL, limited', count: graphql, make: anyDocument }),
    ];
    expect(problemsOf(made, 'answer')).toEqual([]);
    expect(limited.faults()).toEqual([]);
  } finally {
    await limited.close();
  }
});

test('it stops in order', async () => {
  expect(await gateway.close()).toBe(0);
});

const mib = (bytes: number) => Math.round(bytes / 2 ** 20);
