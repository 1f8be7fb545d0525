import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Clients that keep a gateway's connections open. All of theirs end with `close`. */
export interface Hostile {
  /** Connections that the gateway has not closed. */
  readonly open: number;
  close: () => void;
}

export interface HostileOptions {
  url: string;
  count: number;
  /** The loopback address they come from. */
  localAddress?: string;
}

const half = '{"query":"{ __typename }"';

/** Each begins a POST and never ends its body; one that was closed begins again. */
export function halfOpenBodies(options: HostileOptions): Hostile {
  const head = `POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n`;
  return hold(options, (socket) => socket.write(`${head}${half}`));
}

/** Each requests a large reply and reads none of it; one that was closed requests it again. */
export function slowReaders(options: HostileOptions & { path: string }): Hostile {
  return hold(options, (socket) => {
    socket.pause();
    socket.write(`GET ${options.path} HTTP/1.1\r\nhost: x\r\n\r\n`);
  });
}

function hold({ url, count, localAddress }: HostileOptions, begin: (socket: Socket) => void): Hostile {
  const { hostname: host, port } = new URL(url);
  const sockets = new Set<Socket>();
  let closed = false;
  const open = () => {
    if (closed) return;
    const socket = connect({ host, port: Number(port), localAddress });
    sockets.add(socket);
    socket.on('connect', () => begin(socket)).on('error', () => undefined);
    // After a pause: it should keep connections open, not open new ones as fast as it can.
    socket.on('close', () => sockets.delete(socket) && setTimeout(open, 500).unref());
  };
  for (let index = 0; index < count; index += 1) open();
  return {
    get open() {
      return [...sockets].filter(({ readyState }) => readyState === 'open').length;
    },
    close() {
      closed = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}

/**
 * A list request and 50 requests of unknown paths in one packet, on each of 8 connections, reset after 2 ms.
 */
export async function pipelinedResets(
  { url, localAddress }: Pick<HostileOptions, 'url' | 'localAddress'>,
  path: string,
): Promise<void> {
  const { hostname: host, port } = new URL(url);
  const get = (each: string) => `GET ${each} HTTP/1.1\r\nhost: x\r\n\r\n`;
  const packet = get(path) + Array.from({ length: 50 }, (_, index) => get(`/no/such/path/${index}`)).join('');
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      const socket = connect({ host, port: Number(port), localAddress });
      socket.on('error', () => undefined);
      await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
      socket.write(packet);
      await sleep(2);
      socket.resetAndDestroy();
    }),
  );
}
