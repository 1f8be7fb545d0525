import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { startAlteredNode } from '../harness/altered-node.js';
import { createDatabase } from '../harness/database.js';
import { until } from '../harness/embedded.js';
import { excerptGenesis, startExcerptNode } from '../harness/excerpt-node.js';
import { launch } from '../harness/launched.js';
import type { Asked } from '../harness/scripted-node.js';

const MEMBERS = 10_000_000;
/** Answers after which memory is read. */
const ANSWERS = 60;
const MOST_MIB = 600;

const running: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const each of running.splice(0).reverse()) await each.close();
});

const listOf = (member: string) =>
  Buffer.from(`{"jsonrpc":"2.0","id":1,"result":[${`${member},`.repeat(MEMBERS)}${member}]}`);

test.each(['0', '{}'])(
  'a follower with a heap of 1 GiB survives a node that answers lists of ten million times %s for ever',
  async (member) => {
    const body = listOf(member);
    const honest = await startExcerptNode();
    let answers = 0;
    const isHuge = ({ method, params }: Asked) =>
      method === 'eth_getBlockByNumber' ||
      // Block 0 says which network it is.
      (method === 'platform.getBlockByHeight' && Number((params as { height: string }).height) > 0);
    const node = await startAlteredNode(honest.url, (asked) =>
      isHuge(asked)
        ? {
            write: (response) => {
              answers += 1;
              response.writeHead(200, { 'content-type': 'application/json' }).end(body);
            },
          }
        : null,
    );
    const database = await createDatabase();
    running.push({ close: () => database.drop() }, honest, node);
    const args = [
      'follow',
      node.url,
      '--genesis',
      excerptGenesis,
      '--as',
      'fuji',
      '--from',
      'p=5',
      'c-atomic=5',
    ];
    const follower = launch(args, {
      DATABASE_URL: database.url,
      NODE_OPTIONS: '--max-old-space-size=1024',
    });
    await until(() => Promise.resolve(answers >= ANSWERS || follower.hasEnded()));
    expect(follower.hasEnded(), follower.output()).toBe(false);
    const status = readFileSync(`/proc/${follower.pid}/status`, 'utf8');
    const most = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
    expect((await follower.stop()).code, follower.output()).toBe(0);
    expect(most).toBeLessThan(MOST_MIB);
  },
);
