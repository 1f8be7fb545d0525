import type { Socket } from 'node:net';
import pg from 'pg';
import { SocketGuard } from './socket-guard.js';

/** How long the server may take to hear of it, milliseconds. */
const PATIENCE_MS = 500;

/**
 * Asks the server, by a connection made for that, to give up what a borrowed connection has under way (PostgreSQL
 * documentation, "Canceling Requests in Progress"). Whether it is heard in time nobody tells, so that connection must not
 * be used again.
 */
export function cancelStatement(client: pg.ClientBase): void {
  const { host, port, ssl, processID, secretKey } = client as unknown as CancelledClient;
  const asking = new pg.Connection({ ssl }) as unknown as AskingConnection;
  const { stream } = asking;
  SocketGuard.of(asking as unknown as pg.Connection);
  // What is not heard is over by the server's own time-out of a statement.
  asking.on('error', () => stream.destroy());
  stream.setTimeout(PATIENCE_MS, () => stream.destroy()).unref();
  asking.once(ssl ? 'sslconnect' : 'connect', () => asking.cancel(processID, secretKey));
  if (ssl) asking.once('connect', () => asking.requestSsl());
  if (host.startsWith('/')) asking.connect(`${host}/.s.PGSQL.${port}`);
  else asking.connect(port, host);
}

/** What pg keeps for this of a client, and does not declare. */
interface CancelledClient {
  host: string;
  port: number;
  ssl: pg.ConnectionConfig['ssl'];
  processID: number;
  secretKey: number;
}

interface AskingConnection extends Pick<pg.Connection, 'on' | 'once'> {
  stream: Socket;
  connect: (portOrPath: number | string, host?: string) => void;
  requestSsl: () => void;
  cancel: (processID: number, secretKey: number) => void;
}
