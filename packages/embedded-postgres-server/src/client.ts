import pg from 'pg';

/** Milliseconds that a connection may take to close before its socket is destroyed. */
const GOODBYE_MS = 500;

/** A connection, not yet opened. Its loss only fails its statements. */
export function openClient(config: pg.ClientConfig): pg.Client {
  // The system notices a peer that vanished.
  const client = new pg.Client({ keepAlive: true, keepAliveInitialDelayMillis: 10_000, ...config });
  // An error without a listener ends the process.
  client.on('error', () => undefined);
  return client;
}

/** Closes a connection; never throws. The server's goodbye may never arrive, and an open socket keeps a process running. */
export async function endClient(client: pg.Client): Promise<void> {
  const timer = setTimeout(() => client.connection.stream.destroy(), GOODBYE_MS);
  await client.end().catch(() => undefined);
  clearTimeout(timer);
}
