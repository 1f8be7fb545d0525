import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dataFolder, type DataFolder } from '../harness/data-folder.js';
import { freePort } from '../harness/free-port.js';
import { launch, launchOnTerminal, served, serverRuns } from '../harness/launched.js';
import { commandLine } from '../harness/moraine.js';

let folder: DataFolder;
beforeAll(async () => {
  folder = await dataFolder();
  // The others then start within a second.
  const first = launch(['serve'], { DATA_DIR: folder.path, SAMPLE: 'off' });
  await first.says(served);
  await first.stop();
});
afterAll(() => folder.drop());

const settings = () => ({ DATA_DIR: folder.path, SAMPLE: 'off' });

async function expectNoServer(output: string): Promise<void> {
  await expect.poll(() => serverRuns(folder.path), { timeout: 60_000, message: output }).toBe(false);
}

test.each(['1', '2'])('PostgreSQL ends after kill -9 of a gateway of %s processes', async (processes) => {
  const gateway = launch(['serve'], { ...settings(), PROCESSES: processes });
  await gateway.says(served);
  expect((await gateway.stop('SIGKILL')).signal).toBe('SIGKILL');
  await expectNoServer(gateway.output());
});

test('PostgreSQL ends after kill -9 of one that has just started it', async () => {
  for (const milliseconds of [0, 100, 200, 300, 500]) {
    const gateway = launch(['serve'], settings());
    await gateway.says(/starting the embedded PostgreSQL/);
    await sleep(milliseconds);
    await gateway.stop('SIGKILL');
    await expectNoServer(gateway.output());
  }
});

test('a gateway whose terminal is closed ends in order', async () => {
  const gateway = launch(['serve'], settings());
  await gateway.says(served);
  const { code, signal } = await gateway.stop('SIGHUP');
  expect({ code, signal }, gateway.output()).toEqual({ code: 0, signal: null });
  await expectNoServer(gateway.output());
  const [shutdown] = await folder.shutdowns();
  expect(shutdown).toBe('received fast shutdown request');
});

test('PostgreSQL ends after the terminal itself was killed', async () => {
  const gateway = launchOnTerminal(['serve'], settings());
  await gateway.says(served);
  await gateway.stop('SIGKILL');
  await expectNoServer(gateway.output());
});

test('moraine serve | head -2 ends without a stack trace, and PostgreSQL too', async () => {
  const port = await freePort();
  const command = `"${process.execPath}" "${commandLine}" serve | head -2`;
  const pipe = spawn('/bin/sh', ['-c', command], {
    env: { PATH: process.env['PATH'], PORT: String(port), REQUEST_LOG: 'on', ...settings() },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [lines, errors] = ['', ''];
  pipe.stdout.on('data', (data) => (lines += String(data)));
  pipe.stderr.on('data', (data) => (errors += String(data)));
  // Who writes hears of a closed pipe. All lines of the start may be in it before `head` has ended, so there
  // is one for each request.
  const ask = () => void fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined);
  const asking = setInterval(ask, 200);
  await once(pipe, 'close');
  clearInterval(asking);
  expect(lines.trim().split('\n')).toHaveLength(2);
  expect(errors).not.toMatch(/EPIPE|^ +at /m);
  await expectNoServer(errors);
});
