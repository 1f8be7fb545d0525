import { execFile, execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { document } from '../harness/openapi.js';
import { tools, type Tool } from './harness/tools.js';
import { workOf, type Work } from './harness/work.js';

const run = promisify(execFile);

/** Downloads and builds outlive a run: without them each takes minutes. */
const cache = join(tmpdir(), 'moraine-clients-cache');
const folder = mkdtempSync(join(tmpdir(), 'moraine-clients-'));
const path = join(folder, 'openapi.json');

let gateway: TestApp;
let base: string;
let work: Work;
beforeAll(async () => {
  writeFileSync(path, JSON.stringify(document));
  gateway = await createApp({}, { sample: true });
  await gateway.app.listen({ host: '127.0.0.1', port: 0 });
  base = `http://127.0.0.1:${(gateway.app.server.address() as AddressInfo).port}`;
  const internals = [['43113', '0x46744D1FeD52681e9e0Eecd3135836e202528Aa2']];
  work = await workOf(base, internals, '2uf7QFvZ7w4XToVfKm7o25h17KbdS7RaA6qNuZfokrcYxTpoWh');
});
afterAll(async () => {
  await gateway.close();
  rmSync(folder, { recursive: true });
});

function isThere(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`]);
    return true;
  } catch {
    return false;
  }
}

interface Places {
  cwd: string;
  env: NodeJS.ProcessEnv;
}

/** Makes the client of a tool. @throws with what a command said when it failed */
async function make(tool: Tool): Promise<Places> {
  const cwd = join(folder, tool.name);
  // One jar serves all languages.
  const isOfGenerator = tool.make.some((command) => command.includes('openapi-generator.jar'));
  const kept = join(cache, isOfGenerator ? 'openapi-generator' : tool.name);
  for (const each of [cwd, kept]) if (!existsSync(each)) mkdirSync(each, { recursive: true });
  cpSync(join(import.meta.dirname, tool.name), cwd, { recursive: true });
  const env = { ...process.env, CACHE: kept, DOCUMENT: path };
  for (const command of tool.make)
    await run('sh', ['-c', command], { cwd, env, maxBuffer: 2 ** 26 }).catch(
      ({ stdout, stderr }: { stdout: string; stderr: string }) => {
        throw new Error(`${command}\n${(stdout + stderr).slice(-3000)}`);
      },
    );
  return { cwd, env };
}

/** What a client prints for the work, a line of rows for each line of it. */
async function rowsOf(tool: Tool, { cwd, env }: Places): Promise<number[]> {
  const child = spawn('sh', ['-c', `${tool.run} ${base}`], { cwd, env });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (data) => (texts[name] += String(data)));
  child.stdin.end(work.lines.map((line) => `${line}\n`).join(''));
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect([code, texts.stderr.slice(0, 2000)]).toEqual([0, '']);
  return texts.stdout.trim().split('\n').map(Number);
}

test('there is work: lists of several pages, transactions, messages and chains', () => {
  expect(work.lines.length).toBeGreaterThan(1000);
  for (const kind of ['utxos', 'vertices', 'messages', 'internals', 'metric']) {
    const index = work.lines.findIndex((line) => line.startsWith(kind));
    expect(work.rows[index], kind).toBeGreaterThan(10);
  }
});

describe.each(tools)('a client that is made by $name', (tool) => {
  const missing = tool.needs.filter((program) => !isThere(program));
  const without = missing.length > 0 ? ` (without ${missing.join(', ')})` : '';
  test.skipIf(missing.length > 0)(`compiles, and reads every reply of the sample${without}`, async () => {
    const places = await make(tool);
    expect(await rowsOf(tool, places)).toEqual(work.rows);
  });
});
