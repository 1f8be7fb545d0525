import { afterEach, describe, expect, test } from 'vitest';
import type { NodeErrorClass } from '../../../src/follow/node/error.js';
import type { Nodes } from '../../../src/follow/node/nodes.js';
import { refusalCodes, refusals, type Meaning } from '../../../src/follow/node/refusals.js';
import { nodeErrorOf, openTestNodes } from '../../harness/node-client.js';
import { type Said, type ScriptedNode, startScriptedNode } from '../../harness/scripted-node.js';

/**
 * What a node may be asked for after it said so: a refusal that ends a call is one of few that are known for
 * certain.
 */
const classes: Readonly<Record<Meaning, NodeErrorClass>> = {
  'call-failed': 'refused',
  'batch-too-large': 'elsewhere',
  'plan-lacks': 'elsewhere',
  busy: 'wait',
  'node-busy': 'wait',
  syncing: 'wait',
  'not-accepted-yet': 'wait',
  'history-missing': 'elsewhere',
  'state-missing': 'elsewhere',
  'tracer-missing': 'elsewhere',
  'method-missing': 'elsewhere',
  'not-found': 'elsewhere',
  'trace-refused': 'wait',
  'call-aborted': 'wait',
  'index-empty': 'elsewhere',
  'never-answered': 'elsewhere',
  'access-refused': 'operator',
  'bad-request': 'wait',
};

/** Sentences as they are printed, with what stands around the words of the table. */
const sentences: [Meaning, number, string][] = [
  ['call-failed', 3, 'execution reverted: rate limit exceeded'],
  ['call-failed', -32000, 'err: out of gas (supplied gas 1000000)'],
  ['call-failed', -32003, 'EVM error InvalidFEOpcode'],
  ['state-missing', -32000, 'required historical state unavailable (reexec=128)'],
  ['state-missing', -32000, 'missing trie node 3f (path ) state 0x3f is not available'],
  ['state-missing', -32000, 'state at block #4096 is pruned'],
  ['busy', -32005, "You've exceeded the RPS limit available on the current plan."],
  ['busy', -32007, '50/second request limit reached - reduce calls per second or upgrade your account'],
  ['busy', -32003, 'daily request limit reached - upgrade your account'],
  ['busy', 429, 'Your app has exceeded its compute units per second capacity.'],
  ['batch-too-large', -32600, 'Batch of more than 3 requests are not allowed on free tier'],
  ['batch-too-large', -32005, 'Number of requests exceeds max batch size'],
  ['batch-too-large', -32600, 'Too many ["eth_getLogs"] methods in the batch'],
  ['plan-lacks', -32600, 'debug_traceTransaction is not available on the Free tier - upgrade'],
  ['not-found', -32001, 'block not found: 0x1a'],
  ['not-found', -32000, 'header not found'],
  ['method-missing', -32601, 'the method debug_traceBlockByNumber does not exist/is not available'],
  ['not-accepted-yet', -32602, 'BlockOutOfRangeError: block height is 7 but requested was 8'],
];

const open: { node?: ScriptedNode; nodes?: Nodes } = {};
afterEach(async () => {
  await open.nodes?.close();
  await open.node?.close();
});

async function errorOf(said: Said) {
  open.node = await startScriptedNode(() => said);
  open.nodes = openTestNodes([open.node.url], { patienceMs: 0 });
  return nodeErrorOf(open.nodes.evm.call('eth_call', [{}, 'latest']));
}

/** The words between whatever else the sentence has. */
const sentenceOf = (words: string) => {
  const begins = words.startsWith('^') ? words.slice(1) : `A node says: ${words}`;
  return words.endsWith('$') ? begins.slice(0, -1) : `${begins}, and more`;
};

describe('words of nodes and providers', () => {
  test.each(refusals)('%s: "%s" (%s)', async (means, words) => {
    const error = await errorOf({ error: { code: -31999, message: sentenceOf(words) } });
    expect(error).toMatchObject({ reason: means, failureClass: classes[means] });
  });

  test.each(refusalCodes)('%s: code %i (%s)', async (means, code) => {
    const error = await errorOf({ error: { code, message: 'in words that nobody knows' } });
    expect(error).toMatchObject({ reason: means, failureClass: classes[means] });
  });

  test.each(sentences)('%s: code %i, "%s"', async (means, code, message) => {
    expect(await errorOf({ error: { code, message } })).toMatchObject({ reason: means });
  });

  test.each([400, 403, 429, 500])(
    'an error of JSON-RPC under status %i says more than the status',
    async (status) => {
      const error = { code: -32000, message: 'old data not available due to pruning' };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, error });
      expect(await errorOf({ status, body })).toMatchObject({ reason: 'state-missing' });
      await open.nodes?.close();
      await open.node?.close();
      // One for each call of a batch.
      expect(await errorOf({ status, body: `[${body},${body}]` })).toMatchObject({ reason: 'state-missing' });
    },
  );

  test('a limit is one in a page, too', async () => {
    expect(await errorOf({ status: 403, body: '<h1>error code: 1015</h1>' })).toMatchObject({
      reason: 'busy',
    });
  });

  test.each<[shape: string, said: Said, text: string]>([
    ['a text', { error: 'no upstream today' as unknown as object }, 'no upstream today'],
    ['an object of another shape', { error: { reason: 'no upstream today' } }, 'no upstream today'],
    ['a list', { error: ['no upstream today'] }, 'no upstream today'],
  ])('an error that is %s is an error with this text', async (_, said, text) => {
    const error = await errorOf(said);
    expect(error).toMatchObject({ reason: 'node-error', failureClass: 'wait' });
    expect(error.message).toContain(text);
  });
});
