import type pg from 'pg';
import { openClient } from '../connection.js';

/** How long a server may take to accept the connection, and to answer, ms; then it counts as lost. */
const PATIENCE_MS = 2500;

/** A connection outside the pools for an occasional short statement: made on first use and after failures. */
export class ProbeConnection {
  private client: Promise<pg.Client> | undefined;

  constructor(private readonly connection: pg.ClientConfig) {}

  /** @throws what pg throws */
  async ask<Row extends object>(text: string): Promise<Row[]> {
    try {
      const client = await (this.client ??= this.connect());
      return (await client.query<Row>(text)).rows;
    } catch (error) {
      void this.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    const { client } = this;
    this.client = undefined;
    await client?.then((open) => open.end()).catch(() => undefined);
  }

  private async connect(): Promise<pg.Client> {
    const bounds = { connectionTimeoutMillis: PATIENCE_MS, query_timeout: PATIENCE_MS };
    const client = openClient({ ...this.connection, ...bounds, application_name: 'moraine lookout' });
    await client.connect();
    return client;
  }
}
