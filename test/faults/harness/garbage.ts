import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A port with a server behind it, or with something that sends garbage. */
export interface Impostor {
  port: number;
  /** From now on, on open connections too, the server is another program. */
  impersonate: () => void;
  /** Open connections end, and new ones reach the server. */
  giveBack: () => void;
  close: () => Promise<void>;
}

/** @param answer what is said for every piece of data that comes in */
export async function startImpostor(target: number, answer: string): Promise<Impostor> {
  let wrong = false;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    keep(client);
    const upstream = connect(target, '127.0.0.1');
    keep(upstream);
    client.on('data', (data) => (wrong ? client.write(answer) : upstream.write(data)));
    upstream.on('data', (data) => wrong || client.write(data));
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => wrong || client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    impersonate: () => void (wrong = true),
    giveBack() {
      wrong = false;
      endAll();
    },
    async close() {
      endAll();
      server.close();
      await once(server, 'close');
    },
  };
}
