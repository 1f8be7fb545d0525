import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../src/storage/migrate.js';
import { readMigrations } from '../../src/storage/migration-files.js';
import { catalogOf } from '../harness/catalog.js';
import { connectTo } from '../harness/connections.js';
import { createDatabase } from '../harness/database.js';

/** What catalogOf says of a database that the replaced migrations made, by the commit that the baseline names. */
const fixture = new URL('catalog-before-baseline.txt', import.meta.url);
const all = new URL('../../prisma/migrations/', import.meta.url);

test('the baseline makes the same catalog as the migrations that it replaces', async () => {
  const [baseline] = (await readMigrations()).filter(({ replaces }) => replaces);
  const folder = await mkdtemp(join(tmpdir(), 'moraine-baseline-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(new URL(baseline?.name ?? '', all), join(folder, baseline?.name ?? ''), { recursive: true });
  const database = await createDatabase({ migrated: false });
  onTestFinished(database.drop);
  const log = pino({ level: 'silent' });
  const applied = await migrate(
    { connectionString: database.url },
    { log, folder: pathToFileURL(`${folder}/`) },
  );
  expect(applied).toEqual([baseline?.name]);
  const client = await connectTo(database.url);
  const catalog = await catalogOf(client);
  await client.end();
  expect(catalog).toEqual((await readFile(fixture, 'utf8')).trimEnd().split('\n'));
});
