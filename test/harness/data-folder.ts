import { join } from 'node:path';
import { readFile, rm } from 'node:fs/promises';
import type pg from 'pg';
import { fileKinds } from '../../src/resources.js';
import { recordedEndpoint } from '../../packages/embedded-postgres-server/src/endpoint.js';
import { readPassword } from '../../packages/embedded-postgres-server/src/cluster.js';
import { chains, readSample } from './sample.js';
import { temporaryFolder } from './embedded.js';
import { roomyFolder } from './roomy-folder.js';
import { openClient } from '../../src/storage/connection.js';

/** A DATA_DIR of a gateway that runs in a separate process. */
export interface DataFolder {
  path: string;
  /** A connection to the server that runs on it. */
  connect: () => Promise<pg.Client>;
  /** The stops that the server which was started last was asked for, from its log. */
  shutdowns: () => Promise<string[]>;
  drop: () => Promise<void>;
}

/** A data folder that does not exist yet. */
export async function dataFolder(): Promise<DataFolder> {
  const folder = await temporaryFolder(await roomyFolder());
  const path = join(folder.path, 'data');
  return {
    path,
    connect: async () => {
      const address = await recordedEndpoint(join(path, 'postgres'));
      const password = await readPassword(path, 'moraine');
      const client = openClient({
        ...address,
        user: 'moraine',
        password,
        database: 'moraine',
        ssl: false,
      });
      await client.connect();
      return client;
    },
    shutdowns: async () => {
      const log = await readFile(join(path, 'postgres.log'), 'utf8');
      const last = log.slice(log.lastIndexOf('starting PostgreSQL'));
      return last.match(/received \w+ shutdown request/g) ?? [];
    },
    drop: () => rm(folder.path, { recursive: true, force: true }),
  };
}

/** Gives one row: how many each table holds that an import writes first, under the table's name. */
export const rowCountsQuery = `SELECT ${[...new Set(fileKinds.map(({ rows }) => rows.tables[0]))]
  .map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`)
  .join(', ')}`;

/** The number of rows of each table that an import writes first. */
export async function rowCountsOf(client: pg.Client): Promise<Record<string, number>> {
  const { rows } = await client.query<Record<string, number>>(rowCountsQuery);
  return rows[0] ?? {};
}

/**
 * The ids of all outputs that a gateway lists for the chains of fuji, page by page, and of those the sample
 * generates.
 */
export async function listedOutputs(url: string): Promise<{ listed: string[]; generated: string[] }> {
  const listed = new Set<string>();
  for (const chain of chains) {
    for (let token: string | undefined = ''; token !== undefined;) {
      const path = `/v1/networks/fuji/blockchains/${chain}-chain/utxos`;
      const reply = await fetch(`${url}${path}?includeSpent=true&pageSize=100&pageToken=${token}`);
      if (reply.status !== 200) throw new Error(`${reply.status}: ${await reply.text()}`);
      const page = (await reply.json()) as { utxos: { utxoId: string }[]; nextPageToken?: string };
      for (const { utxoId } of page.utxos) listed.add(utxoId);
      token = page.nextPageToken;
    }
  }
  const generated = new Set(readSample().allUtxos.map(({ utxoId }) => utxoId));
  return { listed: [...listed].sort(), generated: [...generated].sort() };
}
