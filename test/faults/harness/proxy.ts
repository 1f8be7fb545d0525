import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A network between a client and a server that a test breaks. Connections keep the fault that hit them. */
export interface Proxy {
  port: number;
  /** Connections that clients have open at present. */
  readonly open: number;
  /** New connections, and those that lost nothing, work. */
  forward: () => void;
  /** Every piece of data arrives so much later, both ways, milliseconds. */
  delay: (milliseconds: number) => void;
  /**
   * Everything that is sent, both ways, is lost in silence. A connection that lost bytes stays silent for
   * good, as when a router forgot it.
   */
  swallow: () => void;
  /** Every connection is reset, and new ones are refused at once by a reset. */
  cut: () => void;
  close: () => Promise<void>;
}

type Mode = 'forward' | 'swallow' | 'cut';

/** Starts a proxy before 127.0.0.1:`target`. */
export async function startProxy(target: number): Promise<Proxy> {
  let mode: Mode = 'forward';
  let delayMs = 0;
  const clients = new Set<Socket>();
  const servers = new Set<Socket>();

  const server = createServer((client) => {
    if (mode === 'cut') return void client.on('error', () => undefined).resetAndDestroy();
    keep(client, clients);
    if (mode === 'swallow') return void client.resume();
    const upstream = connect(target, '127.0.0.1');
    keep(upstream, servers);
    const link = { silent: false };
    pump(client, upstream, link);
    pump(upstream, client, link);
  });

  function pump(from: Socket, to: Socket, link: { silent: boolean }): void {
    from.on('data', (data) => {
      if (mode === 'swallow') link.silent = true;
      if (link.silent) return;
      if (delayMs === 0) to.write(data);
      else setTimeout(() => to.writable && to.write(data), delayMs);
    });
    // In the black hole the other side does not notice the end either.
    from.on('close', () => {
      if (mode === 'swallow' || link.silent) link.silent = true;
      else to.destroy();
    });
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    get open() {
      return clients.size;
    },
    forward() {
      mode = 'forward';
      delayMs = 0;
    },
    delay: (milliseconds) => void (delayMs = milliseconds),
    swallow: () => void (mode = 'swallow'),
    cut() {
      mode = 'cut';
      for (const socket of [...clients, ...servers]) socket.resetAndDestroy();
    },
    async close() {
      for (const socket of [...clients, ...servers]) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function keep(socket: Socket, set: Set<Socket>): void {
  set.add(socket);
  socket.setNoDelay(true);
  socket.on('error', () => undefined).on('close', () => set.delete(socket));
}
