import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import { openNode, type Nodes } from '../../../src/follow/node/nodes.js';
import { nodeErrorOf, shortPauses } from '../../harness/node-client.js';
import { freePort } from '../../harness/free-port.js';
import { type Said, type ScriptedNode, startScriptedNode } from '../../harness/scripted-node.js';

const secrets = ['us3r', 'p4ss/word', 'p4ss%2Fword', 'K3Y-0F-PATH', 'K3Y-0F-QUERY', 'dXMzcjpwNHNzL3dvcmQ='];
const running: { node?: ScriptedNode; nodes?: Nodes } = {};
afterEach(async () => {
  await running.nodes?.close();
  await running.node?.close();
});

function logged(): { lines: string[]; log: pino.Logger } {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  return { lines, log: pino({ level: 'trace' }, sink) };
}

const address = (port: number) =>
  `http://us3r:p4ss%2Fword@127.0.0.1:${port}/K3Y-0F-PATH/ext/bc/P?token=K3Y-0F-QUERY`;

describe('what is secret in an address', () => {
  test('is sent to its server', async () => {
    running.node = await startScriptedNode(() => ({ result: { nodeID: 'NodeID-1' } }));
    running.nodes = openNode([address(running.node.port)], { log: pino({ level: 'silent' }) });
    expect(await running.nodes.info.nodeId()).toBe('NodeID-1');
    const [asked] = running.node.asked;
    expect(asked?.path).toBe('/K3Y-0F-PATH/ext/info?token=K3Y-0F-QUERY');
    expect(asked?.headers['authorization']).toBe('Basic dXMzcjpwNHNzL3dvcmQ=');
  });

  const everything = secrets.join(' ');
  const failures: [string, Said | null][] = [
    ['a connection that is refused', null],
    ['a status and a text that repeats them', { status: 500, body: everything }],
    ['an error that repeats them', { error: { code: -32000, message: everything } }],
    ['a page that repeats them', { status: 200, body: everything }],
    ['a redirect to them', { status: 302, body: '', headers: { location: `/${encodeURI(everything)}` } }],
  ];
  for (const [what, said] of failures) {
    test(`is in no log, error, state or figure after ${what}`, async () => {
      if (said) running.node = await startScriptedNode(() => said);
      const { lines, log } = logged();
      const port = running.node?.port ?? (await freePort());
      // The only one would not be set aside.
      running.nodes = openNode([address(port), address(port)], {
        log,
        pauses: shortPauses,
        patienceMs: 60,
      });
      const { platform, info, setAside, endpoints, figures } = running.nodes;
      const errors = [
        await nodeErrorOf(platform.height()),
        await nodeErrorOf(platform.blockByHeight(1n)),
        await nodeErrorOf(info.nodeId()),
      ];
      setAside(endpoints()[0]!.name, everything);
      const shown = [
        ...lines,
        ...errors.flatMap((error) => [error.message, error.stack, JSON.stringify(error), error.endpoint]),
        JSON.stringify([endpoints(), figures()], (_, value: unknown) =>
          typeof value === 'bigint' ? String(value) : value,
        ),
      ].join('\n');
      expect(lines.length).toBeGreaterThan(0);
      expect(secrets.filter((secret) => shown.includes(secret))).toEqual([]);
      expect(shown).toContain('http://127.0.0.1:');
    });
  }

  test('is not repeated when the address is refused', () => {
    const log = pino({ level: 'silent' });
    for (const wrong of ['ftp://us3r:p4ss@host/K3Y', 'not a url K3Y', 'http://us3r:p4ss@:::/K3Y']) {
      expect(() => openNode([wrong], { log })).toThrow(/address of a node/);
      expect(() => openNode([wrong], { log })).not.toThrow(/us3r|p4ss|K3Y/);
    }
  });
});
