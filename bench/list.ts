import { isDeepStrictEqual } from 'node:util';
import { createTokenCodec, digestQuery } from '../src/paging/token.js';
import { loadInstallation } from '../src/storage/installation.js';
import type { Storage } from '../src/storage/open.js';
import { generateLedger } from '../test/harness/generated-ledger.js';
import { openBenchDatabase } from './harness/database.js';
import { load } from './harness/load.js';
import { startProcess, stopProcess } from './harness/processes.js';
import { median, spread } from './harness/statistics.js';
import { poolOf } from '../test/harness/connections.js';

const OUTPUTS = 2_000_000;
const HOT = [350_000, 280_000, 200_000, 150_000];
// Many short rounds: on a shared machine what disturbs one peer for a second is then one round among many.
const ROUNDS = 25;
const LOAD = { connections: 16, duration: 1000 };
const LIST = '/v1/networks/mainnet/blockchains/p-chain/utxos';
/** The largest ratio that we accept, floor's throughput to ours. */
const WANTED = 1.25;

/**
 * The REST list of UTXOs against the least that could serve it: both as processes of their own on one database,
 * the same load in interleaved rounds, equal answers checked first.
 */
export async function run(): Promise<void> {
  const { storage, env } = await openBenchDatabase('list');
  try {
    const addresses = await prepare(storage);
    const peers = await startPeers(env);
    try {
      for (const pageSize of [10, 100]) await compare(peers, addresses, pageSize);
      await comparePages(storage, peers.gateway.origin, addresses[0] ?? '');
    } finally {
      await Promise.all(Object.values(peers).map(({ child }) => stopProcess(child)));
    }
  } finally {
    await storage.close();
  }
}

async function prepare(storage: Storage): Promise<string[]> {
  const { rows } = await poolOf(storage).query<{ address: string }>(
    `SELECT a.address FROM address a WHERE a.network = 'mainnet' AND a.address <> '' AND a.address NOT LIKE 'avax1cold%' ORDER BY a.id`,
  );
  if (rows.length === HOT.length) return rows.map((row) => row.address);
  console.log(`making ${OUTPUTS.toLocaleString('en')} outputs (once, takes some minutes)…`);
  return generateLedger(poolOf(storage), { outputs: OUTPUTS, hot: HOT });
}

type Peers = Awaited<ReturnType<typeof startPeers>>;

async function startPeers(env: Record<string, string>) {
  const ports = { gateway: 4710, floor: 4711, splice: 4712 };
  const origin = (port: number) => `http://127.0.0.1:${port}`;
  const quiet = {
    ...env,
    ...{ LOG_LEVEL: 'error', SAMPLE: 'off', RATE_LIMITS: 'off', WORKER: 'off', TRUSTED_PROXIES: '127.0.0.1' },
  };
  const gateway = await startProcess(
    ['bin/moraine.mjs', 'serve'],
    { ...quiet, PORT: String(ports.gateway) },
    origin(ports.gateway),
  );
  const headers = JSON.stringify(await headersOf(`${origin(ports.gateway)}${LIST}`));
  const floor = (port: number, mode: string) =>
    startProcess(
      ['--import', 'tsx', 'bench/peers/floor.ts', String(port), headers, mode],
      quiet,
      origin(port),
    );
  return {
    gateway: { child: gateway, origin: origin(ports.gateway) },
    floor: { child: await floor(ports.floor, 'stringify'), origin: origin(ports.floor) },
    splice: { child: await floor(ports.splice, 'splice'), origin: origin(ports.splice) },
  };
}

// What the gateway sends beside the body, so that the floor sends as much.
async function headersOf(url: string): Promise<Record<string, string>> {
  const { headers } = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
  const own = ['content-length', 'date', 'connection', 'keep-alive', 'transfer-encoding'];
  return Object.fromEntries([...headers].filter(([name]) => !own.includes(name)));
}

async function compare({ gateway, floor, splice }: Peers, addresses: readonly string[], pageSize: number) {
  const paths = addresses.map(
    (address, index) =>
      `${LIST}?pageSize=${pageSize}&addresses=${[address, addresses[(index + 1) % addresses.length]].join('%2C')}`,
  );
  await checkEqual(gateway.origin, floor.origin, paths);
  const rates = { gateway: [] as number[], floor: [] as number[], splice: [] as number[] };
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const [name, { origin }] of Object.entries({ gateway, floor, splice })) {
      const rate = await load(origin, paths, LOAD);
      // The first round warms up.
      if (round >= 0) rates[name as keyof typeof rates].push(rate);
    }
  }
  const ratios = rates.gateway.map((rate, round) => (rates.floor[round] ?? NaN) / rate);
  const spliced = rates.gateway.map((rate, round) => (rates.splice[round] ?? NaN) / rate);
  const verdict = median(ratios) <= WANTED ? 'as wanted' : 'NOT as wanted';
  console.log(
    `${pageSize} per page: floor's throughput ÷ ours ${spread(ratios)}, wanted at most ${WANTED}: ${verdict}\n` +
      `  a floor that passes the database's text on instead of stringifying ÷ ours ${spread(spliced)}\n` +
      `  requests a second: ours ${median(rates.gateway).toFixed(0)}, floor ${median(rates.floor).toFixed(0)}`,
  );
}

async function checkEqual(ours: string, theirs: string, paths: readonly string[]): Promise<void> {
  const page = async (origin: string, path: string) => {
    const body = (await (await fetch(`${origin}${path}`)).json()) as Record<string, unknown>;
    // Tokens differ at every issue.
    return { ...body, nextPageToken: typeof body['nextPageToken'] };
  };
  for (const path of paths) {
    if (!isDeepStrictEqual(await page(ours, path), await page(theirs, path)))
      throw new Error(`answers differ: ${path}`);
  }
}

async function comparePages(storage: Storage, origin: string, address: string): Promise<void> {
  const { id, secret } = await loadInstallation(storage.prisma);
  const digest = digestQuery('utxos', ['mainnet', 'p', [address], null, 0n, true, 'timestamp', 'desc']);
  const { rows } = await poolOf(storage).query<{ id: string }>(
    `SELECT o.utxo_row_id AS id FROM utxo_owner o JOIN address a ON a.id = o.address_id
     WHERE a.network = 'mainnet' AND a.address = $1 AND o.chain = 'p'
     ORDER BY o.time DESC, o.tie DESC, o.utxo_row_id DESC OFFSET 199990 LIMIT 1`,
    [address],
  );
  const token = createTokenCodec(secret, id, Date.now).issue(digest, BigInt(rows[0]?.id ?? 0));
  const first = `${LIST}?includeSpent=true&addresses=${address}`;
  const far = `${first}&pageToken=${token}`;
  const ratios: number[] = [];
  for (let round = -1; round < ROUNDS; round += 1) {
    const near = await load(origin, [first], { connections: 4, duration: 600 });
    const distant = await load(origin, [far], { connections: 4, duration: 600 });
    if (round >= 0) ratios.push(near / distant);
  }
  const verdict = median(ratios) <= 1.5 ? 'as wanted' : 'NOT as wanted';
  console.log(
    `page 20,000 of the hottest address costs ${spread(ratios)} times page 1, wanted at most 1.5: ${verdict}`,
  );
}
