import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { serveJsonRpc } from '../harness/json-rpc.js';
import { listen } from '../harness/listen.js';
import type { LoopbackServer } from '../harness/loopback.js';
import { document, operations } from '../harness/openapi.js';
import { make, missingOf } from './harness/client.js';
import { run } from './harness/command.js';
import { schemathesis, tools, type Tool } from './harness/tools.js';
import { lineOf, workOf, type Task } from './harness/work.js';

const folder = mkdtempSync(join(tmpdir(), 'moraine-clients-'));
const path = join(folder, 'openapi.json');

/** Of each chain of the sample, whose own addresses are on the internet. */
let rpcs: Map<number, LoopbackServer>;
let gateway: TestApp;
let base: string;
let work: Task[];
beforeAll(async () => {
  writeFileSync(path, JSON.stringify(document));
  const served = [43113, 43114, 7310001, 7310002, 7310003].map(
    async (id) => [id, await serveJsonRpc({}, id)] as const,
  );
  rpcs = new Map(await Promise.all(served));
  const urls = Object.fromEntries([...rpcs].map(([id, { url }]) => [id, url]));
  gateway = await createApp({ RPC_URLS: JSON.stringify(urls) }, { sample: true });
  base = await listen(gateway.app);
  work = await workOf(gateway);
});
afterAll(async () => {
  await gateway.close();
  for (const rpc of rpcs.values()) await rpc.close();
  rmSync(folder, { recursive: true });
});

/** A token that no other client has had read: each is read once an hour. */
const reindex = (tokenId: number): Task => ({
  operation: 'reindexNft',
  path: [
    ['chainId', '43113'],
    ['address', '0x1C17F1568D8d5159e8A8662284203FCf2f19F8c6'],
    ['tokenId', String(tokenId)],
  ],
  query: {},
  rows: 1,
});

test('there is work for every operation of the document, and for every list several pages', () => {
  // Webhooks belong to an API key, and these clients send none: what is generated for them is compiled.
  const open = operations.filter(({ path }) => !path.startsWith('/v1/webhooks'));
  const asked = new Set([...work, reindex(0)].map(({ operation }) => operation));
  expect([...asked].sort()).toEqual(open.map(({ operation }) => operation.operationId).sort());
  expect(work.length).toBeGreaterThan(1000);
  const lists = work.filter(({ rows, pageSize }) => pageSize !== undefined && rows > pageSize);
  const paged = new Set(lists.map(({ operation }) => operation));
  const wanted = open
    .filter(({ operation }) => operation.parameters?.some(({ name }) => name === 'pageToken'))
    .map(({ operation }) => operation.operationId)
    // A height has one vertex in the sample.
    .filter((operation) => operation !== 'listVerticesByHeight');
  expect([...paged].sort()).toEqual(wanted.sort());
});

/** A test that is skipped, with the reason in its name, where the machine lacks what it needs. */
function testWith(tool: Tool, name: string, body: () => Promise<void>): void {
  const missing = missingOf(tool);
  const without = missing.length > 0 ? ` (this machine is without ${missing.join(', ')})` : '';
  test.skipIf(missing.length > 0)(`${name}${without}`, body);
}

describe.each(tools)('a client that is made by $name', (tool) => {
  testWith(tool, 'compiles, and reads every reply of the sample', async () => {
    const context = await make(tool, folder, path);
    const tasks = [...work, reindex(1000 + tools.indexOf(tool))];
    const input = tasks.map((task) => `${lineOf(task)}\n`).join('');
    const printed = await run(`${tool.run} ${base}`, context, { input });
    expect(printed.trim().split('\n').map(Number)).toEqual(tasks.map(({ rows }) => rows));
  });
});

testWith(
  schemathesis,
  'Schemathesis finds no reply against the document, and no request that is judged otherwise than it says',
  async () => {
    const context = await make(schemathesis, folder, path);
    const said = await run(`${schemathesis.run} ${base}`, context, { minutes: 3 });
    console.log(said.slice(said.indexOf('= SUMMARY =')));
    expect(said).toMatch(new RegExp(`Tested: ${operations.length}\\n[^]*No issues found`));
  },
);
