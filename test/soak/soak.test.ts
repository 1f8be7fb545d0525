import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { examples } from '../../sample/examples.js';
import { startGateway, type Gateway } from '../hostile/harness/gateway.js';
import { openMemoryLog } from './harness/memory-log.js';
import { floors, slopePerMinute, type Sample } from './harness/slope.js';
import { runTraffic } from './harness/traffic.js';
import { sendVisitors } from './harness/visitors.js';

/** Length of the run; the slope is that of its second half, of 5 minutes in one of 10. */
const minutes = Number(process.env['SOAK_MINUTES'] || 10);
const CALLERS = 16;
const MEASURE_SECONDS = 15;
const MIB = 2 ** 20;
/** Six windows at least in the half that counts, however short the run. */
const WINDOW_MS = Math.min(30_000, minutes * 5_000);

const utxos = '/v1/networks/fuji/blockchains/p-chain/utxos';
const graphql = (query: string) => ({ path: '/graphql', body: JSON.stringify({ query }) });
const requests = [
  { path: `${utxos}?addresses=${examples.busyAddress}&pageSize=25` },
  { path: `${utxos}?includeSpent=true&pageSize=100` },
  { path: `/v1/networks/fuji/blockchains/p-chain/transactions/${examples.pChain.stakingTxHash}` },
  { path: '/v1/networks/fuji/blockchains/x-chain/vertices' },
  { path: `/v1/chains/43113/addresses/${examples.evmAddress}/transactions:listInternals?pageSize=50` },
  { path: `/v1/icm/messages/${examples.icmMessageId}` },
  graphql(
    '{ utxos(network: fuji, blockchainId: "p-chain", first: 10) { nodes { utxoId amount creatingTransaction { txHash txType } } pageInfo { endCursor } } }',
  ),
  graphql(
    `{ transaction(network: fuji, blockchainId: "p-chain", txHash: "${examples.pChain.stakingTxHash}") { txType emittedUtxos { nodes { utxoId amount } } } }`,
  ),
];

type Handles = Awaited<ReturnType<Gateway['handles']>>;
const memory = openMemoryLog(WINDOW_MS / 3);
let gateway: Gateway;

beforeAll(async () => {
  const plan = { requests: 10_000_000, seconds: 60, perDay: null };
  gateway = await startGateway({
    ...memory.env,
    PLANS: JSON.stringify({ free: plan, pro: plan, anonymous: plan }),
  });
});

afterAll(async () => {
  await gateway?.close();
  memory.stop();
});

const traffic = (seconds: number, rate: number | null) =>
  runTraffic({ url: gateway.url, seconds, rate, callers: CALLERS, requests, keys: gateway.keys });

/**
 * Open handles when they have been the same for two seconds. Those who went away are gone then, and the pool,
 * which closes by itself what it does not need, is left out of the count.
 */
async function settledHandles(wanted?: Handles): Promise<Handles> {
  let handles = await gateway.handles();
  for (let [look, same] = [0, 0]; look < 300; look += 1) {
    await sleep(200);
    const now = await gateway.handles();
    same = isDeepStrictEqual(now, handles) ? same + 1 : 0;
    handles = now;
    // Values that differ from before get the whole minute to become equal.
    if (same >= 10 && (!wanted || isDeepStrictEqual(now, wanted))) break;
  }
  return handles;
}

test(
  'honest traffic at four fifths of what is possible is answered without an error, and nothing grows',
  async () => {
    const measured = await traffic(MEASURE_SECONDS, null);
    expect(measured.errors).toEqual([]);
    const rate = 0.8 * measured.rate;
    console.log(
      `capacity ${measured.rate.toFixed(0)} requests a second; soaking at ${rate.toFixed(0)} for ${minutes} min`,
    );
    const before = await settledHandles();
    const idle = await gateway.metric('moraine_http_requests_in_flight');

    memory.start(gateway);
    const visitors = sendVisitors(gateway.port);
    const soaked = await traffic(minutes * 60, rate);
    await visitors.stop();

    const half = performance.now() - minutes * 30_000;
    const late = (samples: readonly Sample[]) => samples.filter(({ at }) => at >= half);
    const held = memory.held();
    const slopes = {
      resident: slopePerMinute(late(memory.resident)),
      heldHeap: slopePerMinute(floors(late(held.heap), WINDOW_MS)),
      heldResident: slopePerMinute(floors(late(held.resident), WINDOW_MS)),
    };
    const after = await settledHandles(before);
    const { rate: answered, p50, p99, sent, late: behind } = soaked;
    console.log(
      `${sent} sent, ${answered.toFixed(0)} a second, median ${p50.toFixed(1)} ms, p99 ${p99.toFixed(0)} ms, at most ${behind} behind; ${visitors.came()} visitors`,
    );
    console.log(
      `memory, MiB a minute over the second half: ${Object.entries(slopes)
        .map(([name, slope]) => `${name} ${(slope / MIB).toFixed(2)}`)
        .join(', ')}`,
    );
    const shown = (samples: readonly Sample[]) =>
      floors(samples, 60_000)
        .map(({ value }) => (value / MIB).toFixed(0))
        .join(' ');
    console.log(
      `held after collections, MiB, the lowest of each minute: heap ${shown(held.heap)}; resident ${shown(held.resident)}`,
    );
    console.log(
      `resident ${(gateway.memory().now / MIB).toFixed(0)} MiB, at most ${(gateway.memory().peak / MIB).toFixed(0)}; handles ${JSON.stringify({ before, after })}`,
    );

    expect(soaked.errors).toEqual([]);
    expect(soaked.answered).toBe(soaked.sent);
    // It was really sent at that rate: callers that only wait would notice nothing.
    expect(answered / rate).toBeGreaterThanOrEqual(0.95);
    expect(after).toEqual(before);
    expect(await gateway.metric('moraine_http_requests_in_flight')).toBe(idle);
    expect(gateway.faults()).toEqual([]);
    // Memory in use, without what waits for a collection: what a full one leaves, and of that the lowest
    // sample of each window; the line through all that the system saw is printed next to them.
    expect(slopes.heldHeap / MIB).toBeLessThan(1);
    expect(slopes.heldResident / MIB).toBeLessThan(1);
  },
  (minutes + 5) * 60_000,
);
