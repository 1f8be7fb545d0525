import { refreshStatistics } from '../src/write/statistics.js';
import { icmMessageRows } from '../src/resources/icm-message/import.js';
import { internalTxRows } from '../src/resources/internal-tx/import.js';
import type { Storage } from '../src/storage/open.js';
import { compareCommits } from './filters/against.js';
import { makeFrames } from './filters/frame-data.js';
import { frameSets } from './filters/frame-sets.js';
import { countSet, measureSet, type FilterSet } from './filters/measure.js';
import { addNetworks, makeMessages } from './filters/message-data.js';
import { messageSets } from './filters/message-sets.js';
import { asWanted, summaryOf, tableOf, wishes } from './filters/table.js';
import { otherOf } from './harness/against.js';
import { openBenchDatabase } from './harness/database.js';
import type { Connection } from '../src/storage/session.js';
import { against, type Usage } from './harness/usage.js';

const lists: [string, FilterSet[]][] = [
  ['ICM messages', messageSets()],
  ['internal transactions of an address', frameSets()],
];

export const usage: Usage = {
  about:
    'Blocks that pages of filtered lists touch, for every filter and pair of filters: near and far pages of what matches many rows, and pages of what matches 0, 1 and 10.',
  options: against,
};

export async function run(args: string[]): Promise<void> {
  const other = otherOf(args);
  if (other) {
    if (!(await compareCommits(other))) process.exitCode = 1;
    return;
  }
  const { storage } = await openBenchDatabase('filters');
  try {
    await prepare(storage);
    const verdicts: boolean[] = [];
    for (const [title, sets] of lists) verdicts.push(await measureList(storage, title, sets));
    const all = verdicts.every(Boolean);
    console.log(`\nWanted: ${wishes}: ${all ? 'all as wanted' : 'NOT all as wanted'}`);
    if (!all) process.exitCode = 1;
  } finally {
    await storage.close();
  }
}

async function measureList(storage: Storage, title: string, sets: readonly FilterSet[]): Promise<boolean> {
  const counted = await each(sets, (set) => countSet(storage, set));
  const generic = await each(counted, (set) => measureSet(storage, set, 'generic'));
  console.log(
    `\nBlocks of 8 kB that a page of ${title} touches, 10 per page, under the plan for all parameters:\n\n` +
      tableOf(generic),
  );
  // A connection plans its first reads of a kind for their parameters.
  const custom = await each(counted, (set) => measureSet(storage, set, 'custom'));
  const bad = custom.filter((measured) => !asWanted(measured));
  console.log(`\nUnder plans made for the parameters: ${summaryOf(title, custom)}.`);
  if (bad.length > 0) console.log(tableOf(bad));
  return bad.length === 0 && generic.every(asWanted);
}

async function each<Given, Made>(
  items: readonly Given[],
  work: (item: Given) => Promise<Made>,
): Promise<Made[]> {
  const made: Made[] = [];
  for (const item of items) made.push(await work(item));
  return made;
}

async function prepare(storage: Storage): Promise<void> {
  await storage.session(async (client) => {
    const { rows } = await client.query<{ held: boolean }>(
      'SELECT EXISTS (SELECT FROM icm_message) OR EXISTS (SELECT FROM internal_tx) AS held',
    );
    if (!rows[0]?.held) await make(client);
    // Every time, because an earlier run may have been aborted before it.
    await client.query('VACUUM (ANALYZE) chain');
    await refreshStatistics(client, new Set([...icmMessageRows.tables, ...internalTxRows.tables]));
  });
}

async function make(client: Connection): Promise<void> {
  console.log('making 1,000,000 messages and 1,334,000 internal transactions (once, takes some minutes)…');
  await addNetworks(client);
  // All or nothing: if the table has rows they count as complete.
  await client.query('BEGIN');
  await client.query(`SET LOCAL maintenance_work_mem = '512MB'`);
  await makeMessages(client);
  await makeFrames(client);
  await client.query('COMMIT');
}
