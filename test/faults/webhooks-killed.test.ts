import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { poolOf } from '../harness/connections.js';
import { outputId, utxoRow } from '../harness/ledger-rows.js';
import { Random } from '../harness/random.js';
import { until } from '../harness/raw-client.js';
import { importRows } from '../harness/seed.js';
import { openReceiver, openWebhooks, type Receiver, type WebhookGateway } from '../harness/webhooks.js';
import { report } from './harness/table.js';

const KILLS = 3;
const COMMITS = 120;
const EACH = 5;

let gateway: WebhookGateway;
let quick: Receiver;
let failing: Receiver;
beforeAll(async () => {
  gateway = await openWebhooks({ WORKER: 'off' });
  [quick, failing] = await Promise.all([openReceiver(), openReceiver()]);
});
afterAll(async () => {
  await gateway.close();
  await Promise.all([quick.close(), failing.close()]);
});

async function startWorker(): Promise<ChildProcess> {
  const file = fileURLToPath(new URL('../harness/webhook-process.ts', import.meta.url));
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', file, gateway.services.config.DATABASE_URL ?? ''],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  await once(child.stdout, 'data');
  return child;
}

const namesOf = (commit: number) => Array.from({ length: EACH }, (_, nth) => `output ${commit} ${nth}`);
/** The commit of each output. */
const commits = new Map<string, number>();
for (let commit = 0; commit < COMMITS; commit += 1)
  for (const name of namesOf(commit)) commits.set(outputId(name), commit);

async function write(): Promise<void> {
  for (let commit = 0; commit < COMMITS; commit += 1)
    await importRows(
      gateway.storage,
      'mainnet.p-chain.utxos',
      namesOf(commit).map((name) => utxoRow(name)),
    );
}

/** What a receiver got, without what came again at once: an event may, before the next one. */
const sequenceOf = ({ received }: Receiver) =>
  received
    .map(({ body }) => ({ message: body.messageId, output: body.event['utxo'].utxoId as string }))
    .filter(({ message }, index, all) => message !== all[index - 1]?.message);

test('workers that are killed -9 in the middle of deliveries lose no event, and no order', async () => {
  const random = new Random(53);
  failing.answers = () => ({ status: random.below(20) === 0 ? 500 : 200 });
  await gateway.watch(quick.url, ['anna']);
  await gateway.watch(failing.url, ['anna']);
  const writing = write();
  let midway = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const worker = await startWorker();
    const had = quick.received.length;
    expect(await until(() => quick.received.length > had + 10 + random.below(60), 60)).toBe(true);
    worker.kill('SIGKILL');
    await once(worker, 'exit');
    const { rows } = await poolOf(gateway.storage).query<{ queued: number }>(
      'SELECT sum(queued)::int AS queued FROM webhook',
    );
    midway += Number(rows[0]!.queued > 0);
  }
  await writing;
  const last = await startWorker();
  const isEmpty = async () => {
    const { rows } = await poolOf(gateway.storage).query<{ left: boolean }>(
      `SELECT EXISTS (SELECT 1 FROM webhook WHERE queued > 0)
         OR (SELECT entry FROM webhook_position) < (SELECT max(id) FROM feed) AS left`,
    );
    return rows[0]?.left === false;
  };
  expect(await until(isEmpty, 120)).toBe(true);
  last.kill('SIGKILL');
  await once(last, 'exit');

  const sequences = [quick, failing].map(sequenceOf);
  const right = sequences.filter((sequence) => {
    const order = sequence.map(({ output }) => commits.get(output) ?? NaN);
    return (
      sequence.length === commits.size &&
      order.every((commit, index) => index === 0 || commit >= order[index - 1]!)
    );
  }).length;
  const lost = sequences.reduce(
    (sum, sequence) => sum + commits.size - new Set(sequence.map(({ output }) => output)).size,
    0,
  );
  const again = [quick, failing].reduce((sum, { received }) => sum + received.length, 0) - 2 * commits.size;
  report({
    fault: `webhooks: workers killed -9 in the middle of deliveries, ${KILLS} times`,
    sent: sequences.length,
    right,
    refused: 0,
    wrong: sequences.length - right,
    lost,
    note: `${midway} times with events that waited; ${again} of ${2 * commits.size} came again`,
  });
  expect([midway, right]).toEqual([KILLS, 2]);
});
