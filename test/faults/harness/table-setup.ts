import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onceForAll } from '../../harness/once-for-all.js';
import { tableOf, type FaultRow } from './table.js';

/** Collects the rows that tests report, and prints them as one table when all have run. */
export default onceForAll('faultTable', async (provide) => {
  const folder = await mkdtemp(join(tmpdir(), 'moraine-faults-'));
  const file = join(folder, 'rows.ndjson');
  await writeFile(file, '');
  provide('faultTable', file);
  return async () => {
    const lines = (await readFile(file, 'utf8')).split('\n').filter(Boolean);
    const rows = lines.map((line) => JSON.parse(line) as FaultRow);
    rows.sort((a, b) => (a.fault < b.fault ? -1 : 1));
    if (rows.length > 0) process.stdout.write(`\n${tableOf(rows)}\n\n`);
    await rm(folder, { recursive: true, force: true });
  };
});
