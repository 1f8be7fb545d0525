// A node whose C-chain is a recorded one, repeated, in a process of its own. Its parent moves the head of the
// C-chain with a message {"head": HEIGHT}, counts with {"asked": true} the calls and requests since its
// start, and makes with {"prepared": HEIGHT} the answers of the blocks from there to the head beforehand, so
// that giving them costs next to nothing. A trace takes TRACE_MS, in which the process does other things.
import { once } from 'node:events';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { recordedFile } from '../../test/harness/recorded-node.js';
import { RepeatedEvmChain, type RpcBlock } from './repeated-evm.js';

type Reply = { r: string } | { e: string };
type Answer = (path: string, method: string, params: readonly unknown[]) => Reply;

interface RecordedNode {
  serve: (
    folder: string,
    options: { port: number },
  ) => {
    server: Server;
    node: { answer: Answer; head: { C: number }; known: { blocks: readonly RpcBlock[] } };
  };
}

const folder = dirname(recordedFile('network-a', 'genesis.json'));
const program = new URL('../../../shared/node/recorded-node.mjs', import.meta.url);
const { serve } = (await import(program.href)) as RecordedNode;
const { server, node } = serve(folder, { port: 0 });
const chain = new RepeatedEvmChain(node.known.blocks);
const recorded = node.answer;
const newest = node.known.blocks.length - 1;
let head = 0;
const asked = { calls: {} as Record<string, number>, requests: 0 };
const traceMs = Number(process.env['TRACE_MS'] ?? 0);
/** Of the calls that ask for blocks, by method and parameters. */
const prepared = new Map<string, Reply>();
const keyOf = (method: string, [height, detail]: readonly unknown[]) =>
  `${method} ${String(height)} ${detail === true ? 'whole' : ''}`;
/** Whether the answer that is being made is a trace. */
let isTrace = false;

node.answer = (path, method, params) => {
  asked.calls[method] = (asked.calls[method] ?? 0) + 1;
  if (method.startsWith('debug_trace')) isTrace = true;
  if (path !== '/ext/bc/C/rpc') return recorded(path, method, params);
  return (prepared.size > 0 && prepared.get(keyOf(method, params))) || evm(path, method, params);
};
// The recorded index ends with the recorded blocks, so there is none.
const [listener] = server.listeners('request') as [RequestListener];
server.removeAllListeners('request');
server.on('request', (request, response) => {
  asked.requests += 1;
  if (request.url?.startsWith('/ext/index/C/')) response.writeHead(404).end('404 page not found\n');
  else listener(request, response);
});

process.on('message', (message: { head: number } | { asked: true } | { prepared: number }) => {
  if ('asked' in message) {
    process.send?.(asked);
    return;
  }
  if ('prepared' in message) {
    let transactions = 0;
    for (let height = message.prepared; height <= head; height += 1) {
      prepare(`0x${height.toString(16)}`);
      transactions += chain.blockAt(height).transactions.length;
    }
    process.send?.({ transactions });
    return;
  }
  head = message.head;
  node.head.C = Math.min(head, newest);
});
process.on('disconnect', () => process.exit());
if (!server.listening) await once(server, 'listening');
process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });

if (traceMs > 0)
  // The listener makes an answer and ends the response without a pause between.
  server.prependListener('request', (_request, response) => {
    const end = response.end.bind(response) as (text: string) => ServerResponse;
    response.end = ((text: string) => {
      if (isTrace) setTimeout(() => end(text), traceMs);
      else end(text);
      isTrace = false;
      return response;
    }) as typeof response.end;
  });

function evm(path: string, method: string, params: readonly unknown[]): Reply {
  if (method === 'eth_blockNumber') return { r: JSON.stringify(`0x${head.toString(16)}`) };
  // No balance is proved.
  if (method === 'eth_getBalance') return { r: '"0x64"' };
  if (method === 'eth_call') return recorded(path, method, [params[0], `0x${newest.toString(16)}`]);
  const height = heightOf(params[0]);
  if (height === undefined || height <= newest || height > head) return recorded(path, method, params);
  const [block, source] = [chain.blockAt(height), chain.sourceOf(height)];
  if (method === 'eth_getBlockByNumber')
    return {
      r: JSON.stringify(
        params[1] === true ? block : { ...block, transactions: block.transactions.map(({ hash }) => hash) },
      ),
    };
  const answer = recorded(path, method, [source.number, ...params.slice(1)]);
  return 'r' in answer ? { r: renamed(answer.r, source, block) } : answer;
}

function prepare(height: string): void {
  const calls: readonly (readonly [string, readonly unknown[]])[] = [
    ['eth_getBlockByNumber', [height, true]],
    ['eth_getBlockByNumber', [height, false]],
    ['eth_getBlockReceipts', [height]],
    ['debug_traceBlockByNumber', [height, { tracer: 'callTracer' }]],
  ];
  for (const [method, params] of calls)
    prepared.set(keyOf(method, params), evm('/ext/bc/C/rpc', method, params));
}

/** Of a block that is named by its height or its hash. */
function heightOf(name: unknown): number | undefined {
  if (typeof name !== 'string' || !name.startsWith('0x')) return name === 'latest' ? head : undefined;
  return name.length === 66 ? chain.heightOf(name) : Number(name);
}

/** What is said of a recorded block, said of the one that repeats it. */
function renamed(text: string, source: RpcBlock, block: RpcBlock): string {
  const pairs = source.transactions.map(
    ({ hash }, index) => [hash, block.transactions[index]!.hash] as const,
  );
  return [...pairs, [source.hash, block.hash] as const]
    .reduce((renamedText, [from, to]) => renamedText.replaceAll(from, to), text)
    .replaceAll(`"blockNumber":"${source.number}"`, `"blockNumber":"${block.number}"`);
}
