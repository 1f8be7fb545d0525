import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Newest heights by chain. */
export interface Heads {
  P: number;
  X: number;
  C: number;
}

/** Answers one call: an object with `result` or `error`. */
export type AnswerCall = (path: string, method: string, params: unknown, heads: Heads) => object;

/** A server of the tests that answers as a node does. */
export interface NodeServer {
  readonly url: string;
  /** Change it to move the heads. */
  readonly heads: Heads;
  close: () => Promise<void>;
}

const paths = /^\/ext\/(info|bc\/(P|X|C\/avax|C\/rpc)|index\/.+)$/;

/**
 * Serves JSON-RPC on a port of 127.0.0.1, a free one for 0: one call a POST, and batches on the EVM's path.
 */
export async function serveNode(node: { heads: Heads; answer: AnswerCall }, port = 0): Promise<NodeServer> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = (request.url ?? '').split('?')[0]!;
      if (!paths.test(path) || path.startsWith('/ext/index/')) {
        response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('404 page not found\n');
        return;
      }
      const asked = JSON.parse(Buffer.concat(chunks).toString()) as Call | Call[];
      const answers = [asked].flat().map(({ id, method, params }) => {
        const given = Array.isArray(params) && path !== '/ext/bc/C/rpc' ? (params[0] as unknown) : params;
        return { jsonrpc: '2.0', id, ...node.answer(path, method, given ?? {}, node.heads) };
      });
      response.setHeader('content-type', 'application/json');
      response.end(`${JSON.stringify(Array.isArray(asked) ? answers : answers[0])}\n`);
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heads: node.heads,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Call {
  id: unknown;
  method: string;
  params?: unknown;
}
