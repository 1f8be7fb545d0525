import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import type { NodeErrorClass } from '../../../src/follow/node/error.js';
import type { Nodes } from '../../../src/follow/node/nodes.js';
import { nodeErrorOf, openTestNodes } from '../../harness/node-client.js';
import { hasRecordedNode, recordedFile, type RecordedNetwork } from '../../harness/recorded-node.js';
import { type ScriptedNode, startScriptedNode } from '../../harness/scripted-node.js';

interface Recorded {
  note: string;
  p: string;
  status: number;
  type: string;
  answer: string;
}

/** By the note of a recorded failure: its class and its name. */
const expected: Record<string, [NodeErrorClass, string]> = {
  'P height above head': ['elsewhere', 'not-found'],
  'X height above head': ['elsewhere', 'not-found'],
  'P block unknown id': ['elsewhere', 'not-found'],
  'X block unknown id': ['elsewhere', 'not-found'],
  'P tx unknown': ['elsewhere', 'not-found'],
  'P tx unknown id': ['elsewhere', 'not-found'],
  'X tx unknown id': ['elsewhere', 'not-found'],
  'C atomic unknown id': ['elsewhere', 'not-found'],
  'index unknown id': ['elsewhere', 'not-found'],
  'index getIndex unknown': ['elsewhere', 'not-found'],
  'supply of unknown subnet': ['elsewhere', 'not-found'],
  'L1 validator unknown': ['elsewhere', 'not-found'],
  'asset unknown': ['elsewhere', 'not-found'],
  'P tx bad id': ['wait', 'bad-request'],
  'X tx unknown': ['elsewhere', 'never-answered'],
  'X status unknown': ['elsewhere', 'never-answered'],
  'C atomic unknown': ['elsewhere', 'never-answered'],
  'C atomic status unknown': ['elsewhere', 'never-answered'],
  'method ill-formed': ['wait', 'bad-request'],
  'method in capitals': ['wait', 'bad-request'],
  'P unknown method': ['elsewhere', 'method-missing'],
  'P method of another service': ['elsewhere', 'method-missing'],
  'X unknown method': ['elsewhere', 'method-missing'],
  'C unknown method': ['elsewhere', 'method-missing'],
  'C debug off method': ['elsewhere', 'method-missing'],
  'C future block': ['wait', 'not-accepted-yet'],
  'C future header': ['wait', 'not-accepted-yet'],
  'C future trace': ['wait', 'not-accepted-yet'],
  'C future balance': ['wait', 'not-accepted-yet'],
  'C future logs': ['wait', 'not-accepted-yet'],
  'C logs to beyond head': ['wait', 'not-accepted-yet'],
  'C trace of genesis': ['elsewhere', 'never-answered'],
  'index beyond': ['wait', 'not-accepted-yet'],
  'index range beyond': ['wait', 'not-accepted-yet'],
  'index range crossing the end': ['elsewhere', 'index-empty'],
  'index 0 wanted': ['wait', 'bad-request'],
  'index 1025 wanted': ['wait', 'bad-request'],
  'index path of nothing': ['operator', 'index-off'],
  'unknown chain': ['wait', 'no-chain'],
  'utxos no address': ['wait', 'bad-request'],
  'utxos 1025 addresses': ['wait', 'bad-request'],
  'utxos other hrp': ['wait', 'bad-request'],
  'utxos unknown source': ['wait', 'bad-request'],
  'C utxos without source': ['wait', 'bad-request'],
  'validatorsAt above head': ['wait', 'not-accepted-yet'],
  'P batch': ['wait', 'bad-request'],
  'P not JSON': ['wait', 'bad-request'],
  'C not JSON': ['wait', 'bad-request'],
};

/** The rest of what a node says, and servers between. */
const others: [string, string, number, string, NodeErrorClass, string][] = [
  [
    'bootstrapping',
    '/ext/bc/P',
    503,
    'API call rejected because chain is not done bootstrapping',
    'wait',
    'bootstrapping',
  ],
  [
    'a method that Anvil lacks',
    '/ext/bc/C/rpc',
    200,
    '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}',
    'elsewhere',
    'method-missing',
  ],
  ['a foreign host name', '/ext/bc/P', 403, 'invalid host specified\n', 'operator', 'host-refused'],
  ['a wrong key', '/ext/bc/P', 401, 'unauthorized', 'operator', 'access-refused'],
  ['a limit of requests', '/ext/bc/P', 429, 'slow down', 'wait', 'busy'],
  ['a gateway without a node', '/ext/bc/P', 502, '<html>bad gateway</html>', 'wait', 'unavailable'],
  ['another method of HTTP', '/ext/bc/P', 405, 'method not allowed', 'wait', 'request-refused'],
  [
    'another type of content',
    '/ext/bc/P',
    415,
    'rpc: unrecognized Content-Type: text/plain',
    'wait',
    'request-refused',
  ],
  ['a page instead of an answer', '/ext/bc/P', 200, '<html>hello</html>', 'elsewhere', 'unreadable'],
  ['a web server', '/ext/info', 404, 'not here', 'operator', 'no-node'],
  [
    'a state that was pruned',
    '/ext/bc/C/rpc',
    200,
    '{"id":1,"error":{"code":-32000,"message":"missing trie node 3f (path )"}}',
    'elsewhere',
    'state-missing',
  ],
  [
    'an unknown error',
    '/ext/bc/C/rpc',
    200,
    '{"id":1,"error":{"code":-32000,"message":"something new"}}',
    'wait',
    'node-error',
  ],
];

const open: { node?: ScriptedNode; nodes?: Nodes } = {};
afterEach(async () => {
  await open.nodes?.close();
  await open.node?.close();
});

/** The error of a call to this path to which a node says this. */
async function errorOf(path: string, status: number, type: string, body: string) {
  open.node = await startScriptedNode(() => ({ status, body, headers: { 'content-type': type } }));
  open.nodes = openTestNodes([open.node.url], { patienceMs: 0 });
  const { platform, avm, avax, evm, index, info } = open.nodes;
  if (path === '/ext/info') return nodeErrorOf(info.nodeId());
  if (path === '/ext/bc/X') return nodeErrorOf(avm.transaction('any'));
  if (path === '/ext/bc/C/avax') return nodeErrorOf(avax.atomicTransaction('any'));
  if (path === '/ext/bc/C/rpc') return nodeErrorOf(evm.call('eth_any', []));
  if (!path.startsWith('/ext/index/')) return nodeErrorOf(platform.transaction('any'));
  const answer = index.lastAccepted('X/tx');
  // The typed call says null for this one; the name is what is tested.
  if (body.includes('no containers')) {
    expect(await answer).toBeNull();
    return { failureClass: 'elsewhere', reason: 'index-empty', message: '' };
  }
  return nodeErrorOf(answer);
}

function recordedFailures(network: RecordedNetwork): Recorded[] {
  const lines = gunzipSync(readFileSync(recordedFile(network, 'errors.jsonl.gz')))
    .toString()
    .trim()
    .split('\n');
  return lines
    .map((line) => JSON.parse(line) as Recorded)
    .filter(
      ({ status, answer }) => status !== 200 || /^\{"jsonrpc":"2.0",("id":[^,]*,)?"error"/.test(answer),
    );
}

describe('a failure has its class', () => {
  for (const network of ['network-a', 'network-c'] as const) {
    test.skipIf(!hasRecordedNode)(`everything that the node of ${network} refused`, async () => {
      const failures = recordedFailures(network);
      expect(failures.length).toBeGreaterThan(40);
      const found: Record<string, [string, string]> = {};
      for (const { note, p, status, type, answer } of failures) {
        const { failureClass, reason } = await errorOf(p, status, type, answer);
        await open.nodes?.close();
        await open.node?.close();
        found[note] = [failureClass, reason];
      }
      expect(found).toEqual(
        Object.fromEntries(Object.keys(found).map((note) => [note, expected[note] ?? 'not expected'])),
      );
    });
  }

  for (const [what, path, status, body, failureClass, reason] of others) {
    test(`${what}: ${failureClass}`, async () => {
      const error = await errorOf(path, status, 'text/plain; charset=utf-8', body);
      expect(error).toMatchObject({ failureClass, reason });
    });
  }

  test('what an operator must change is named with its flag', async () => {
    const host = await errorOf('/ext/bc/P', 403, 'text/plain', 'invalid host specified\n');
    expect(host.message).toContain('--http-allowed-hosts');
    await open.nodes?.close();
    await open.node?.close();
    const index = await errorOf('/ext/index/X/tx', 404, 'text/plain', '404 page not found\n');
    expect(index.message).toContain('--index-enabled');
  });
});
