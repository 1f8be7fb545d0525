import { readFile } from 'node:fs/promises';
import { buildSchema } from 'graphql';
import { describeReport, runCampaign, type CampaignReport } from './campaign.js';
import type { Gateway } from './gateway.js';
import type { Input } from './input.js';
import { collectTokens } from './list-case.js';
import { readOperations } from './operations.js';
import { Oracle } from './oracle.js';
import { Random } from './random.js';
import { readAll } from './reading.js';
import type { Supplies } from './supplies.js';
import { connectTo } from '../../harness/connections.js';

const CONNECTIONS = 12;

/** Everything that a run needs in addition to the gateway; made before anything hostile is sent. */
export interface Stage {
  supplies: Supplies;
  oracle: Oracle;
  seed: number;
  /** The index of the only input to send; null for all. */
  only: number | null;
}

/** Reads what is stored, and what must never be shown. */
export async function setStage(
  gateway: Gateway,
  { seed, only }: Pick<Stage, 'seed' | 'only'>,
): Promise<Stage> {
  const reading = await readAll(gateway.url);
  const schema = buildSchema(await readFile(new URL('../../../schema.graphql', import.meta.url), 'utf8'));
  const tokens = await collectTokens(gateway.url, new Random(seed, -1), { reading, count: 60 });
  const operations = await readOperations(gateway.url);
  const oracle = new Oracle(await secretsOf(gateway));
  return { supplies: { operations, schema, reading, tokens, keys: gateway.keys }, oracle, seed, only };
}

/** Sends inputs to a gateway, judges the answers and prints what came of them. */
export async function attack(
  { supplies, oracle, seed, only }: Stage,
  { port }: Gateway,
  { name, count, make }: { name: string; count: number; make: (random: Random, supplies: Supplies) => Input },
): Promise<CampaignReport> {
  const report = await runCampaign({
    name,
    port,
    seed,
    count: only === null ? count : 1,
    connections: CONNECTIONS,
    make: (index) => make(new Random(seed, only ?? index), supplies),
    oracle,
  });
  console.log(describeReport(name, report));
  return report;
}

/** The first problems of a kind as text, and how many there are. */
export function problemsOf(
  reports: readonly CampaignReport[],
  kind: 'answer' | 'refusal',
  shown = 15,
): string[] {
  const found = reports.flatMap(({ problems }) => problems.filter((each) => each.kind === kind));
  const count = reports.reduce((sum, { counts }) => sum + counts[kind], 0);
  return [...found.slice(0, shown).map(({ report }) => report), ...(count > shown ? [`… of ${count}`] : [])];
}

async function secretsOf({ databaseUrl, keys }: Gateway): Promise<string[]> {
  const client = await connectTo(databaseUrl);
  const { rows } = await client.query<{ secret: Buffer }>('SELECT secret FROM installation');
  await client.end();
  const secret = rows[0]?.secret as Buffer;
  const { password } = new URL(databaseUrl);
  return [...keys, password, secret.toString('hex'), secret.toString('base64')].filter((each) => each !== '');
}
