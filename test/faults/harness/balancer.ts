import { once } from 'node:events';
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { send } from './send.js';

/**
 * Sends requests to those of its gateways that say at /ready that they are ready; it tries none of them
 * twice.
 */
export interface Balancer {
  url: string;
  /** The gateways from now on; a new one gets requests once it is ready. */
  use: (urls: readonly string[]) => void;
  /** Requests that found no gateway ready. */
  readonly unserved: number;
  close: () => Promise<void>;
}

/** Milliseconds between two checks of /ready. */
const LOOK_MS = 100;

export async function startBalancer(first: readonly string[]): Promise<Balancer> {
  let urls = first;
  let ready: string[] = [...first];
  let turn = 0;
  let unserved = 0;
  let stopped = false;
  const looks = new Map<string, Promise<void>>();
  const agent = new Agent({ keepAlive: true });

  function pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const url = ready[(turn += 1) % ready.length];
    if (!url) {
      unserved += 1;
      return void outgoing.writeHead(502).end();
    }
    const { method, headers } = incoming;
    const onward = request(`${url}${incoming.url}`, { method, headers, agent }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  }

  const looking = (async () => {
    while (!stopped) {
      // Each by itself, because one that is slow to answer must not delay the others, and one check at a
      // time, because more do not make a slow one faster.
      for (const url of urls.filter((each) => !looks.has(each)))
        looks.set(
          url,
          look(url).finally(() => looks.delete(url)),
        );
      await sleep(LOOK_MS);
    }
  })();
  async function look(url: string): Promise<void> {
    const { status } = await send(url, { path: '/ready' }, { timeoutMs: 10_000 });
    const others = ready.filter((each) => each !== url && urls.includes(each));
    ready = status === 200 && urls.includes(url) ? [...others, url] : others;
  }
  // For ever: a client that reuses a connection as it times out here would count that against the gateways.
  const server = createServer({ keepAliveTimeout: 0 }, pass).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    use: (next) => void (urls = next),
    get unserved() {
      return unserved;
    },
    async close() {
      stopped = true;
      await looking;
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}
