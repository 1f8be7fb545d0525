import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** A server on this machine that counts the connections it accepted. */
export interface LoopbackServer {
  port: number;
  /** http://127.0.0.1:<port> */
  url: string;
  accepts: () => number;
  close: () => Promise<void>;
}

/** Serves HTTP on a free port of 127.0.0.1. */
export function serveHttp(handler: RequestListener): Promise<LoopbackServer> {
  return listen(createHttpServer({ keepAliveTimeout: 1 }, handler), '127.0.0.1');
}

/** Passes each connection on a free port of `host` to `handler`, unchanged. */
export function serveSockets(handler: (socket: Socket) => void, host = '127.0.0.1'): Promise<LoopbackServer> {
  return listen(createServer(handler), host);
}

async function listen(server: Server, host: string): Promise<LoopbackServer> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  server.on('connection', (socket: Socket) => {
    accepted++;
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    accepts: () => accepted,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
