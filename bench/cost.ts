import type { Storage } from '../src/storage/open.js';
import { openCostDatabase } from './cost/data.js';
import { casesOf } from './cost/documents.js';
import { Asker, type Measured } from './cost/measure.js';
import { startGateway } from './harness/gateway.js';
import { judge } from './harness/measures.js';
import { parentOf } from './harness/processor.js';
import { stopProcess } from './harness/processes.js';
import { median } from './harness/statistics.js';
import { tableOf } from './harness/table.js';
import { short, type Usage } from './harness/usage.js';

const PORT = 4790;
const MILLISECONDS = 800;
/** The largest accepted ratio of the most expensive case to the median. */
const WANTED = 8;

export const usage: Usage = {
  about:
    'Processor time of the gateway and of PostgreSQL for each request that is charged, of a document of each root field and of each expensive edge.',
  options: short,
};

export async function run(args: string[]): Promise<void> {
  const { storage, env } = await openCostDatabase();
  const plans = JSON.stringify({
    anonymous: { requests: 100_000_000, seconds: 60, perDay: null, fields: { 'Query.compositeQuery': null } },
  });
  const server = await serverOf(storage);
  const gateway = await startGateway(process.cwd(), { ...env, RATE_LIMITS: 'on', PLANS: plans }, PORT);
  const asker = new Asker(gateway, server);
  try {
    const measured: Measured[] = [];
    for (const each of await casesOf(asker.ask))
      measured.push(await asker.measure(each, args.includes('--short') ? 100 : MILLISECONDS));
    report(measured);
  } finally {
    await asker.close();
    await stopProcess(gateway.child);
    await storage.close();
  }
}

/** The process of PostgreSQL. */
async function serverOf(storage: Storage): Promise<number> {
  return storage.session(async (client) => {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return parentOf(rows[0]?.pid ?? 0);
  });
}

const unitOf = ({ node, server, charged }: Measured) => (node + server) / charged;

function report(measured: readonly Measured[]): void {
  const sorted = [...measured].sort((one, other) => unitOf(other) - unitOf(one));
  console.log(
    tableOf(
      [
        'document',
        'gateway, ms',
        'PostgreSQL, ms',
        'cost',
        'charged',
        'ms a request charged',
        'µs a unit of cost',
      ],
      sorted.map((each) => [
        each.name,
        each.node.toFixed(2),
        each.server.toFixed(2),
        Number.isNaN(each.asked) ? '' : String(each.asked),
        String(each.charged),
        unitOf(each).toFixed(2),
        (((each.node + each.server) * 1000) / each.asked).toFixed(1),
      ]),
    ),
  );
  const middle = median(measured.map(unitOf));
  const ratio = unitOf(sorted[0] as Measured) / middle;
  const judged = judge({
    name: 'GraphQL and REST: processor time of the most expensive request charged ÷ the median',
    wanted: `at most ${WANTED}`,
    measured: ratio.toFixed(1),
    isMet: ratio <= WANTED,
  });
  console.log(
    `\nthe most expensive (${sorted[0]?.name}) takes ${ratio.toFixed(1)} times the median of ${middle.toFixed(2)} ms, wanted at most ${WANTED}: ${judged}`,
  );
}
