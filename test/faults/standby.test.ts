import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, onTestFinished, test } from 'vitest';
import { runCommand, startGateway } from './harness/gateway.js';
import { writeImportFile } from './harness/import-file.js';
import { startLoad } from './harness/load.js';
import { copyPostgres, type PostgresServer } from './harness/postgres.js';
import { comparable, isClearRefusal, knownGood } from './harness/probes.js';
import { startProxy } from './harness/proxy.js';
import { countRows, rowsMissing, watchRows } from './harness/rows.js';
import { send } from './harness/send.js';
import { startStandby } from './harness/standby.js';
import { expectSound, report } from './harness/table.js';

const list = '/v1/networks/mainnet/blockchains/p-chain/utxos?pageSize=10';

test('on a standby that is behind, a fresh page token is refused clearly, and read once it has caught up', async () => {
  const primary = await copyPostgres(inject('sampleServer').folder);
  onTestFinished(primary.drop);
  const proxy = await startProxy(primary.port);
  onTestFinished(proxy.close);
  const standby = await startStandby(primary, proxy.port);
  onTestFinished(standby.drop);
  const writer = await startGateway({ DATABASE_URL: primary.url });
  onTestFinished(writer.kill);
  const reader = await startGateway({ DATABASE_URL: standby.url, MIGRATE: 'off', WORKER: 'off' });
  onTestFinished(reader.kill);
  const before = await countRows(primary);
  const load = startLoad(() => reader.url, await knownGood(reader.url), { rate: 10 });
  const tokens = { right: 0, refused: 0, wrong: [] as string[] };

  /** Requests from the standby the page after a token that the primary has just issued. */
  async function askFresh(): Promise<'right' | 'refused' | 'wrong'> {
    const { nextPageToken } = JSON.parse((await send(writer.url, { path: list })).text) as {
      nextPageToken: string;
    };
    const path = `${list}&pageToken=${nextPageToken}`;
    const [good, answer] = [await send(writer.url, { path }), await send(reader.url, { path })];
    if (answer.status === 200 && comparable(answer.text) === comparable(good.text)) return 'right';
    if (isClearRefusal({ path }, answer)) return 'refused';
    tokens.wrong.push(`${answer.status} ${answer.text}`);
    return 'wrong';
  }
  async function importAnew(name: string): Promise<void> {
    const file = await writeImportFile(name, 200);
    await primary.query(
      `DELETE FROM utxo_owner USING utxo WHERE utxo.id = utxo_row_id AND network = 'mainnet'`,
    );
    expect(await runCommand(['import', file.path], { DATABASE_URL: primary.url })).toMatchObject({ code: 0 });
    await rm(file.folder, { recursive: true });
  }
  async function becomesRight(): Promise<boolean> {
    for (let attempt = 0; attempt < 100; attempt += 1) {
      const found = await askFresh();
      if (found === 'right') return true;
      if (found === 'refused') tokens.refused += 1;
      await sleep(100);
    }
    return false;
  }

  await standby.query('SELECT pg_wal_replay_pause()');
  await importAnew('while replay is paused');
  const paused = await askFresh();
  await standby.query('SELECT pg_wal_replay_resume()');
  const afterPause = await becomesRight();
  proxy.cut();
  await importAnew('while the receiver is away');
  const away = await askFresh();
  proxy.forward();
  load.faultEnds();
  const afterCut = await becomesRight();
  await load.rightAgain(15_000);
  const tally = await load.stop();
  const written = await countRows(primary);
  const lost = rowsMissing(before, written) + rowsMissing(written, await countRows(standby));
  report({
    fault: 'hot standby behind, then cut off',
    ...tally,
    wrong: tally.wrong + tokens.wrong.length,
    lost,
    note: `${tally.note}; fresh tokens refused ${tokens.refused + 2} times until read`,
  });
  expect({ paused, afterPause, away, afterCut, wrong: tokens.wrong }).toEqual({
    paused: 'refused',
    afterPause: true,
    away: 'refused',
    afterCut: true,
    wrong: [],
  });
  expectSound(tally);
  expect(await reader.stop()).toMatchObject({ code: 0 });
  await expectReadOnlyTold(standby, primary);
});

/**
 * Commands that write, on a database that cannot be written: each ends with 1, and says why in a sentence.
 */
async function expectReadOnlyTold(standby: PostgresServer, primary: PostgresServer): Promise<void> {
  const file = await writeImportFile('on a standby', 10);
  onTestFinished(() => rm(file.folder, { recursive: true }));
  const missing = await watchRows(primary);
  const commands = [
    ['migrate'],
    ['import', file.path],
    ['sample'],
    ['keys', 'create', '--plan', 'free', '--name', 'x'],
    ['distribute'],
    ['rebuild', '--check'],
  ];
  const runs = await Promise.all(commands.map((args) => runCommand(args, { DATABASE_URL: standby.url })));
  const results = runs.map(({ code, output }, index) => ({
    command: commands[index]?.[0],
    code,
    output,
    isTold: output.includes('read-only'),
    hasStack: /^ {4}at /m.test(output),
  }));
  report({
    fault: `a read-only database: ${results.map(({ command }) => command).join(', ')}`,
    sent: 0,
    right: 0,
    refused: 0,
    wrong: 0,
    lost: await missing(),
    exit: [...new Set(results.map(({ code }) => code))].join(', '),
  });
  const good = { code: 1, isTold: true, hasStack: false, output: expect.any(String) as string };
  expect(results, JSON.stringify(results)).toEqual(commands.map(([command]) => ({ command, ...good })));
}
