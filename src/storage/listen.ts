import type pg from 'pg';
import { openClient } from './connection.js';

/** How long the server may take to accept the connection, and to answer, milliseconds. */
const PATIENCE_MS = 5000;
/** How long to wait before another try after the connection was lost or refused, milliseconds. */
const RETRY_MS = 5000;

/**
 * Listens to a channel on a connection of its own, which is made again where it is lost. Notices may be
 * missed at any time: they are a hint to look, and whoever needs all of them looks now and then too.
 *
 * @param connection past any pooler, because LISTEN belongs to a session
 * @param notified called for each notice, and whenever some may have been missed
 * @returns what ends it
 */
export function listen(connection: pg.ClientConfig, channel: string, notified: () => void): () => void {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isEnded = false;
  const begin = async () => {
    const bounds = { connectionTimeoutMillis: PATIENCE_MS, query_timeout: PATIENCE_MS };
    const own = openClient({ ...connection, ...bounds, application_name: 'moraine listener' });
    client = own;
    own.on('notification', notified);
    own.once('end', again);
    try {
      await own.connect();
      await own.query(`LISTEN ${channel}`);
      notified();
    } catch {
      void own.end().catch(() => undefined);
      again();
    }
  };
  const again = () => {
    if (isEnded) return;
    clearTimeout(timer);
    timer = setTimeout(() => void begin(), RETRY_MS).unref();
  };
  void begin();
  return () => {
    isEnded = true;
    clearTimeout(timer);
    void client?.end().catch(() => undefined);
  };
}
