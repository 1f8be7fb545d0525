import { rm } from 'node:fs/promises';
import { expect, inject, onTestFinished, test } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { batchLimits } from '../../src/write/batch.js';
import { runCommand, startCommand, startGateway, type Command } from './harness/gateway.js';
import { storedOutputs, wrongBalances, writeImportFile } from './harness/import-file.js';
import { startLoad } from './harness/load.js';
import { connectTo } from '../harness/connections.js';
import { copyPostgres, type PostgresServer } from './harness/postgres.js';
import { knownGood } from './harness/probes.js';
import { watchRows } from './harness/rows.js';
import { send } from './harness/send.js';
import { expectSound, report } from './harness/table.js';

const list = '/v1/networks/mainnet/blockchains/p-chain/utxos?includeSpent=true&pageSize=10';

test('PostgreSQL killed under an import: what was written stays, and the import run again ends', async () => {
  const server = await copyPostgres(inject('sampleServer').folder);
  onTestFinished(server.drop);
  const missing = await watchRows(server);
  const file = await writeImportFile('database killed', 24_000);
  onTestFinished(() => rm(file.folder, { recursive: true }));
  const env = { DATABASE_URL: server.url };
  const gateway = await startGateway(env);
  onTestFinished(gateway.kill);
  const load = startLoad(() => gateway.url, await knownGood(gateway.url), { rate: 10 });
  const args = ['import', file.path];
  const importer = startCommand(args, env);
  onTestFinished(importer.kill);
  const held = await someWritten(server, importer);
  await server.kill();
  const { code } = await importer.exit;
  await server.start();
  load.faultEnds();
  const after = await storedOutputs(server);
  const again = await runCommand(args, env);
  const lost = file.rows - (await storedOutputs(server)) + Math.max(0, held - after) + (await missing());
  const third = await runCommand(args, env);
  await load.rightAgain(15_000);
  const tally = await load.stop();
  report({ fault: 'PostgreSQL killed -9 under import', ...tally, lost });
  expect(code).toBe(1);
  expect(importer.output()).toContain('run the command again');
  expect(importer.output()).not.toMatch(/^ {4}at /m);
  // Whole batches: of 24,000 outputs three.
  expect(after % batchLimits.rows).toBe(0);
  expect(again.code).toBe(0);
  expect(await wrongBalances(server)).toBe(0);
  expect(third.output).toContain('rows read: 0 written');
  expectSound(tally);
});

test('an import killed while the indexes of empty tables are put off: the next start makes them', async () => {
  const server = await copyPostgres(inject('sampleServer').folder);
  onTestFinished(server.drop);
  const file = await writeImportFile('killed with late indexes', 40_000);
  onTestFinished(() => rm(file.folder, { recursive: true }));
  const args = ['import', file.path];
  // Without those of partitions, which the sample's import made.
  const indexes = `SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename NOT LIKE 'internal_tx_%' ORDER BY 1`;
  const wanted = await server.query(indexes);

  for (const moment of ['while it writes', 'while it makes them'] as const) {
    const database = await emptyDatabase(server, moment.replaceAll(' ', '_'));
    const importer = startCommand(args, { DATABASE_URL: database.url });
    onTestFinished(importer.kill);
    await (moment === 'while it writes'
      ? someWritten(database, importer)
      : said(importer, 'creating the indexes'));
    await importer.kill();
    const exit = String((await importer.exit).signal);
    const held = await storedOutputs(database);
    const late = await database.query(`SELECT name FROM late_index`);
    const killed = performance.now();
    const gateway = await startGateway({ DATABASE_URL: database.url, SAMPLE: 'off' });
    onTestFinished(gateway.kill);
    const made = await database.query(indexes);
    const stillLate = await database.query(`SELECT name FROM late_index`);
    const recoverMs = performance.now() - killed;
    const listed = await send(gateway.url, { path: list });
    const isRight = listed.status === 200 && listed.text.split('"utxoId"').length === 1 + Math.min(held, 10);
    await gateway.stop();
    const after = await storedOutputs(database);
    const again = await runCommand(args, { DATABASE_URL: database.url });
    report({
      fault: `importer killed -9 ${moment === 'while it writes' ? 'while indexes are put off' : 'while it makes put-off indexes'}`,
      sent: 1,
      right: Number(isRight),
      refused: 0,
      wrong: Number(!isRight),
      recoverMs,
      lost: Math.max(0, held - after) + file.rows - (await storedOutputs(database)),
      exit,
      note: `${late.length} indexes put off, made at the start`,
    });
    expect(isRight, listed.text).toBe(true);
    expect(late.length, moment).toBeGreaterThan(0);
    expect(held % batchLimits.rows).toBe(0);
    expect(made).toEqual(wanted);
    expect(stillLate).toEqual([]);
    expect(again).toMatchObject({ code: 0 });
    expect(await wrongBalances(database)).toBe(0);
  }
});

/** A database in addition to the server's own, without tables. */
async function emptyDatabase(server: PostgresServer, name: string) {
  await server.query(`CREATE DATABASE ${name}`);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  const client = await connectTo(url.href);
  onTestFinished(() => client.end());
  return {
    url: url.href,
    query: async <Row extends object>(sql: string) => (await client.query<Row>(sql)).rows,
  };
}

async function said({ child, output }: Command, text: string): Promise<void> {
  while (!output().includes(text)) {
    if (child.exitCode !== null) throw new Error(`the import ended too early:\n${output()}`);
    await sleep(5);
  }
}

/** Waits until a part of the file is there for others to see. */
async function someWritten(
  server: Parameters<typeof storedOutputs>[0],
  { child, output }: Command,
): Promise<number> {
  for (;;) {
    // The command makes the tables first.
    const held = await storedOutputs(server).catch(() => 0);
    if (held > 0) return held;
    if (child.exitCode !== null) throw new Error(`the import ended too early:\n${output()}`);
    await sleep(5);
  }
}
