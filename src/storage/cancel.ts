import type { Socket } from 'node:net';
import pg from 'pg';
import { SocketGuard } from './socket-guard.js';

/** How long the server may take to accept the request, milliseconds. */
const PATIENCE_MS = 500;

/**
 * Asks the server, on a new connection, to cancel the statement of a borrowed connection (PostgreSQL
 * documentation, "Canceling Requests in Progress"). Nothing shows whether the server cancels it in time, so
 * that the borrowed connection must not be used again.
 */
export function cancelStatement(client: pg.ClientBase): void {
  const { host, port, ssl, processID, secretKey } = client as unknown as CancelledClient;
  const connection = new pg.Connection({ ssl }) as unknown as CancelConnection;
  const { stream } = connection;
  SocketGuard.of(connection as unknown as pg.Connection);
  // If it fails, the server's own statement_timeout ends the statement.
  connection.on('error', () => stream.destroy());
  stream.setTimeout(PATIENCE_MS, () => stream.destroy()).unref();
  connection.once(ssl ? 'sslconnect' : 'connect', () => connection.cancel(processID, secretKey));
  if (ssl) connection.once('connect', () => connection.requestSsl());
  if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
  else connection.connect(port, host);
}

/** What pg stores of a client for this, and does not declare. */
interface CancelledClient {
  host: string;
  port: number;
  ssl: pg.ConnectionConfig['ssl'];
  processID: number;
  secretKey: number;
}

interface CancelConnection extends Pick<pg.Connection, 'on' | 'once'> {
  stream: Socket;
  connect: (portOrPath: number | string, host?: string) => void;
  requestSsl: () => void;
  cancel: (processID: number, secretKey: number) => void;
}
