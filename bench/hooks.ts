import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { createKeyStore } from '../src/access/key-store.js';
import { createWebhook } from '../src/resources/webhook/store.js';
import { utxoRows } from '../src/resources/utxo/import.js';
import type { Storage } from '../src/storage/open.js';
import { writeSets, type RowSet } from '../src/write/transaction.js';
import { poolOf } from '../test/harness/connections.js';
import { addressOf, utxoRow } from '../test/harness/ledger-rows.js';
import { until } from '../test/harness/raw-client.js';
import { openBenchDatabase } from './harness/database.js';
import { startGateway, type Gateway } from './harness/gateway.js';
import { judge } from './harness/measures.js';
import { endedTime, parentOf, processorTime, serverTime } from './harness/processor.js';
import { stopProcess } from './harness/processes.js';
import { short, type Usage } from './harness/usage.js';

const PORT = 4765;
const FULL = { events: 3000, commits: 40 };
const SHORT = { events: 500, commits: 10 };
/** How many webhooks there are while commits are made that are about none of them. */
const OTHERS = [0, 10, 1000];
const SCOPE = { network: 'mainnet', chain: 'p' } as const;
/** Outputs of each commit. */
const OUTPUTS = 20;

export const usage: Usage = {
  about:
    'Webhooks: events that are sent a second, to one receiver and to eight, and the processor time of a commit with webhooks that it does not concern.',
  options: short,
};

export async function run(args: string[]): Promise<void> {
  const { events, commits } = args.includes('--short') ? SHORT : FULL;
  const { storage, env } = await openBenchDatabase('hooks');
  const receiver = await startReceiver();
  const settings = { WORKER: 'on', FETCH_ALLOW_LOOPBACK: 'true', STATEMENT_TIMEOUT_MS: '60000' };
  const gateway = await startGateway(process.cwd(), { ...env, ...settings }, PORT);
  const hooks = await Hooks.open(storage, receiver.url);
  try {
    for (const count of [1, 8]) {
      await hooks.keep(count, 'sent');
      const rate = await deliveries(storage, receiver, count, events);
      const judged = judge({
        name: `events to ${count} ${count === 1 ? 'webhook' : 'webhooks'}: sent a second`,
        wanted: 'at least 50',
        measured: rate.toFixed(0),
        isMet: rate >= 50,
      });
      console.log(
        `events sent to ${count} webhooks: ${rate.toFixed(0)} a second, wanted at least 50: ${judged}`,
      );
    }
    const found: number[] = [];
    for (const count of OTHERS) {
      await hooks.keep(count, 'other');
      const [node, server] = await commitTimes(storage, gateway, commits);
      found.push(node + server);
      console.log(
        `a commit of ${OUTPUTS} outputs, with ${count} webhooks that it is not about: ${node.toFixed(1)} ms of the gateway, ${server.toFixed(1)} ms of PostgreSQL`,
      );
    }
    const ratio = found.at(-1)! / found[1]!;
    const judged = judge({
      name: `a commit that no webhook is about, processor time: with ${OTHERS.at(-1)} webhooks ÷ with ${OTHERS[1]}`,
      wanted: 'at most 1.25',
      measured: ratio.toFixed(2),
      isMet: ratio <= 1.25,
    });
    console.log(`the last ÷ the one before ${ratio.toFixed(2)}, wanted at most 1.25: ${judged}`);
  } finally {
    await hooks.keep(0, 'none');
    await stopProcess(gateway.child);
    await storage.close();
    await receiver.close();
  }
}

/** Takes all events, and counts them. */
async function startReceiver() {
  let received = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      received += 1;
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received: () => received,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** The webhooks of a key of this benchmark. */
class Hooks {
  private constructor(
    private readonly storage: Storage,
    private readonly url: string,
    private readonly keyId: number,
  ) {}

  static async open(storage: Storage, url: string): Promise<Hooks> {
    const keys = createKeyStore(storage.prisma, { log: pino({ level: 'silent' }), now: Date.now });
    const { key, record } = await keys.create({ name: 'bench', plan: 'free', rights: null, expiresAt: null });
    await keys.close();
    // The first secret of a key.
    const reply = await fetch(`http://127.0.0.1:${PORT}/v1/webhooks:generateOrRotateSharedSecret`, {
      method: 'POST',
      headers: { 'x-service-api-key': key },
    });
    if (reply.status !== 201) throw new Error(`a secret is answered ${reply.status}`);
    return new Hooks(storage, url, record.id);
  }

  /** Leaves so many webhooks alone, each of an address of its own. */
  async keep(count: number, name: string): Promise<void> {
    await poolOf(this.storage).query('DELETE FROM webhook WHERE key_id = $1', [this.keyId]);
    for (let index = 0; index < count; index += 1)
      await createWebhook(
        this.storage.prisma,
        this.keyId,
        {
          eventType: 'primary_network_address_activity',
          ...SCOPE,
          url: this.url,
          name: '',
          description: '',
          metadata: { keyType: 'addresses', subEvents: { addressActivitySubEvents: ['balance_change'] } },
          keys: [addressOf(`${name} ${index}`)],
        },
        [],
        { webhooks: 10_000, addresses: 1 },
      );
  }
}

async function commit(storage: Storage, owners: readonly string[]): Promise<void> {
  const run = randomUUID();
  const rows = owners.map((owner, index) =>
    utxoRows.read(utxoRow(`${run} ${index}`, { addresses: [addressOf(owner)] }), SCOPE),
  );
  const set = { kind: utxoRows, scope: SCOPE, rows } as unknown as RowSet;
  await storage.session((session) => writeSets(session, [set]));
}

/** From the first event that arrives to the last one, of a backlog. @returns events a second */
async function deliveries(
  storage: Storage,
  receiver: { received: () => number },
  count: number,
  events: number,
): Promise<number> {
  const before = receiver.received();
  const owners = Array.from({ length: 100 }, (_, index) => `sent ${index % count}`);
  for (let made = 0; made < events; made += owners.length) await commit(storage, owners);
  await until(() => receiver.received() > before, 60);
  const [first, start] = [receiver.received(), performance.now()];
  if (!(await until(() => receiver.received() >= before + events, 600)))
    throw new Error('events are missing');
  return (receiver.received() - first) / ((performance.now() - start) / 1000);
}

/** The processor time of a commit, with that of looking at it, milliseconds. */
async function commitTimes(
  storage: Storage,
  { child }: Gateway,
  commits: number,
): Promise<[node: number, server: number]> {
  const { rows } = await poolOf(storage).query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const server = parentOf(rows[0]?.pid ?? 0);
  const owners = Array.from({ length: OUTPUTS }, (_, index) => `nobody ${index}`);
  const work = async () => {
    for (let index = 0; index < commits; index += 1) await commit(storage, owners);
    // Until the gateway has looked at them.
    await sleep(2000);
  };
  await work();
  // Connections that are closed meanwhile count too.
  const times = (): [number, number] => [
    processorTime(child.pid ?? 0),
    serverTime(server) + endedTime(server),
  ];
  const [node, postgres] = times();
  await work();
  const after = times();
  return [(after[0] - node) / commits / 1000, (after[1] - postgres) / commits / 1000];
}
