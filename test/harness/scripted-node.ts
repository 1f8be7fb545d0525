import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call as it arrived. */
export interface Asked {
  readonly path: string;
  readonly id: unknown;
  readonly method: string;
  readonly params: unknown;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** What the script says to a call; `write` has the response to itself. */
export type Said =
  | { readonly result: unknown }
  | { readonly error: object }
  | { readonly status: number; readonly body: string; readonly headers?: Record<string, string> }
  | { readonly write: (response: ServerResponse) => void };

export interface ScriptedNode {
  readonly url: string;
  readonly port: number;
  /** Every call but those that ask for the network. */
  readonly asked: Asked[];
  close: () => Promise<void>;
}

const identity: Readonly<Record<string, object>> = {
  'info.getNetworkID': { networkID: '1337' },
  'info.getBlockchainID': { blockchainID: 'the same for X and C' },
};

/**
 * Serves what a test says, on a free port of 127.0.0.1. What asks for the network is answered without the
 * script unless it wants that too.
 *
 * @param options.mostInBatch larger batches get `tooMany`, a 413 when absent
 * @param options.batches gets the number of calls of each batch
 */
export async function startScriptedNode(
  say: (asked: Asked) => Said | Promise<Said>,
  options: {
    saysIdentity?: boolean;
    port?: number;
    mostInBatch?: number;
    tooMany?: { readonly status: number; readonly body: string };
    batches?: number[];
  } = {},
): Promise<ScriptedNode> {
  const calls: Asked[] = [];
  const answer = async (asked: Asked): Promise<Said> => {
    const known = options.saysIdentity ? undefined : identity[asked.method];
    if (known) return { result: known };
    calls.push(asked);
    return say(asked);
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const given = JSON.parse(Buffer.concat(chunks).toString()) as Asked | Asked[];
      const { url: path = '', headers } = request;
      if (Array.isArray(given)) options.batches?.push(given.length);
      if (Array.isArray(given) && given.length > (options.mostInBatch ?? Infinity)) {
        const { status, body } = options.tooMany ?? { status: 413, body: '' };
        response.writeHead(status).end(body);
        return;
      }
      const all = [given].flat().map((call) => answer({ ...call, path, headers }));
      void Promise.all(all).then((said) => respond(response, given, said));
    });
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    asked: calls,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function respond(response: ServerResponse, given: Asked | Asked[], said: Said[]): void {
  const whole = said.find((each) => 'write' in each || 'status' in each);
  if (whole && 'write' in whole) return whole.write(response);
  if (whole && 'status' in whole) {
    response.writeHead(whole.status, whole.headers).end(whole.body);
    return;
  }
  const answers = [given].flat().map(({ id }, index) => ({ jsonrpc: '2.0', id, ...said[index] }));
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(Array.isArray(given) ? answers : answers[0]));
}
