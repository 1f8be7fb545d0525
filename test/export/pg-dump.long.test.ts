import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import { loadConfig } from '../../src/config.js';
import { openStorage, type Storage } from '../../src/storage/open.js';
import { connectTo, createPool, poolOf, storageOn } from '../harness/connections.js';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { openHere, temporaryFolder } from '../harness/embedded.js';
import { excerptGenesis, startExcerptNode } from '../harness/excerpt-node.js';
import { excerptFilling, followOnce } from '../harness/followed.js';
import { dumpFollowed } from '../harness/followed-dump.js';
import { differencesOf, followToMiddle } from '../harness/moved.js';
import type { NodeServer } from '../harness/node-server.js';
import { findOtherPostgres, packOther } from '../harness/other-postgres.js';
import { urlOf } from '../harness/standby.js';

// The embedded server comes without these programs, and they read servers of their own version and older ones
// alone.
const bin = await findOtherPostgres();
const programs = ['pg_dump', 'pg_restore'].every((name) => bin !== undefined && existsSync(join(bin, name)));

describe.skipIf(!programs)(
  `a followed database${programs ? '' : ' (skipped: needs pg_dump and pg_restore next to a PostgreSQL of another version, see TEST_OTHER_POSTGRES)'}`,
  () => {
    let node: NodeServer;
    let folder: Awaited<ReturnType<typeof temporaryFolder>>;
    let cluster: Awaited<ReturnType<typeof openHere>>;
    let wholeDatabase: TestDatabase;
    let whole: Storage;

    beforeAll(async () => {
      wholeDatabase = await createDatabase({ filling: excerptFilling });
      whole = storageOn(createPool(wholeDatabase.url, 2));
      node = await startExcerptNode();
      folder = await temporaryFolder();
      const packageFolder = await packOther(bin!, join(folder.path, 'programs'));
      cluster = await openHere({ dataFolder: join(folder.path, 'data'), packageFolder });
    });
    afterAll(async () => {
      await cluster.leave();
      await folder.drop();
      await node.close();
      await poolOf(whole).end();
      await wholeDatabase.drop();
      adoptIdentities({});
    });

    const run = (program: string, args: readonly string[]) => execFileSync(join(bin!, program), args);
    const open = (url: string) => openStorage(loadConfig({ DATABASE_URL: url }), pino({ level: 'silent' }));

    test('by pg_dump and pg_restore: every stream goes on at the next block, and every table equals that of the whole', async () => {
      const given = { urls: [node.url], genesis: excerptGenesis };
      const url = urlOf(cluster.connection);
      const old = await open(url);
      await followToMiddle(old, node, given);
      const pipelines = await old.prisma.followPipeline.findMany();
      const file = join(folder.path, 'backup.dump');
      run('pg_dump', ['-Fc', '-f', file, url]);

      const client = await connectTo(url);
      await client.query('CREATE DATABASE restored TEMPLATE template0');
      await client.end();
      const restoredUrl = urlOf({ ...cluster.connection, database: 'restored' });
      run('pg_restore', ['--exit-on-error', '-d', restoredUrl, file]);
      adoptIdentities({});
      const restored = await open(restoredUrl);
      expect(await restored.prisma.followPipeline.findMany()).toEqual(pipelines);
      expect(await differencesOf(old, restored)).toEqual([]);
      await old.close();

      expect(await followOnce(restored, given)).toEqual([]);
      expect(await differencesOf(whole, restored)).toEqual([]);
      expect(await dumpFollowed(restored)).toEqual(await dumpFollowed(whole));
      await restored.close();
    });
  },
);
