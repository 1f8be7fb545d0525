import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A loopback port in front of a PostgreSQL server, instead of the network between. */
export interface Proxy {
  /** The address given, through the proxy. */
  url: string;
  /** Connections that are open towards the gateway. */
  open: () => number;
  /** From now on every byte is lost, both ways, and new connections are accepted and get no answer. */
  swallow: () => void;
  /** New connections are forwarded again. Earlier ones stay dead, like connections that a firewall forgot. */
  mend: () => void;
  /** On new connections the server's answers arrive up to these bytes; the rest is lost. */
  swallowBehind: (last: Buffer) => void;
  /** Breaks every connection. */
  cut: () => void;
  /** Ends the proxy: nobody listens any more. */
  close: () => Promise<void>;
}

/** Opens a proxy in front of the server of this address, on a Unix socket or not. */
export async function openProxy(address: string): Promise<Proxy> {
  const url = new URL(address);
  const host = decodeURIComponent(url.hostname);
  const port = Number(url.port || 5432);
  const target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  const near = new Set<Socket>();
  const all = new Set<Socket>();
  const dead = new WeakSet<Socket>();
  let swallowing = false;
  let lastOfServer: Buffer | undefined;

  const keep = (socket: Socket) => {
    all.add(socket);
    socket.on('error', () => undefined).on('close', () => all.delete(socket));
  };
  const forward = (from: Socket, to: Socket) => {
    from.on('data', (bytes) => {
      if (!dead.has(from)) to.write(bytes);
    });
    from.on('close', () => {
      if (!dead.has(from)) to.destroy();
    });
  };
  const forwardUpTo = (last: Buffer, from: Socket, to: Socket) => {
    from.on('data', (bytes) => {
      if (dead.has(from)) return;
      const end = bytes.indexOf(last);
      to.write(end < 0 ? bytes : bytes.subarray(0, end + last.length));
      if (end >= 0) dead.add(from);
    });
    from.on('close', () => to.destroy());
  };
  const server = createServer((client) => {
    keep(client);
    near.add(client);
    client.on('close', () => near.delete(client));
    if (swallowing) {
      dead.add(client);
      client.resume();
      return;
    }
    const far = connect(target);
    keep(far);
    forward(client, far);
    if (lastOfServer) forwardUpTo(lastOfServer, far, client);
    else forward(far, client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    open: () => near.size,
    swallow() {
      swallowing = true;
      for (const socket of all) dead.add(socket);
    },
    swallowBehind(last) {
      lastOfServer = last;
    },
    mend() {
      swallowing = false;
    },
    cut() {
      for (const socket of all) socket.destroy();
    },
    async close() {
      server.close();
      for (const socket of all) socket.destroy();
      await once(server, 'close');
    },
  };
}
