import pg from 'pg';

/** Milliseconds that a connection may take to close before its socket is destroyed. */
const GOODBYE_MS = 500;

/**
 * A connection, not yet opened, whatever PostgreSQL's variables are in the environment. Its loss only fails
 * its statements.
 */
export function openClient(config: pg.ClientConfig): pg.Client {
  // The system notices a peer that vanished.
  const alive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };
  const client = new pg.Client({ ...alive, sslnegotiation: 'postgres', ...config });
  // pg takes them from PGOPTIONS and PGREPLICATION where the configuration has none.
  Object.assign((client as unknown as { connectionParameters: object }).connectionParameters, {
    options: config.options,
    replication: undefined,
  });
  // An error without a listener ends the process.
  client.on('error', () => undefined);
  return client;
}

/**
 * Closes a connection; never throws. The server's goodbye may never arrive, and an open socket keeps a
 * process running.
 */
export async function endClient(client: pg.Client): Promise<void> {
  const timer = setTimeout(() => client.connection.stream.destroy(), GOODBYE_MS);
  await client.end().catch(() => undefined);
  clearTimeout(timer);
}
