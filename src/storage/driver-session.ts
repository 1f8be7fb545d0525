import type { Readable } from 'node:stream';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { CopyValue } from './copy.js';
import { PipelinedBatch } from './pipelined-batch.js';
import type { Batch, Connection, Result, Session } from './session.js';
import { copyIn, namedWrite } from './sent-writes.js';
import type { SteadyClient } from './steady-client.js';

/** A connection of ours, or one of pg itself, which sends one statement at a time. */
export type SessionClient = pg.PoolClient & Partial<Pick<SteadyClient, 'pipelined'>>;

/** A session on a borrowed connection. */
export class DriverSession implements Session {
  constructor(private readonly client: SessionClient) {}

  query<Row extends object>(...[text, values]: Parameters<Connection['query']>): Promise<Result<Row>> {
    return (this.client as Connection).query<Row>(namedWrite(text, values));
  }

  copy(table: string, columns: readonly string[], rows: Iterable<readonly CopyValue[]>): Promise<void> {
    return copyIn(this.client, table, columns, rows);
  }

  copyOut(select: string, options: string): Readable {
    return this.client.query(copyTo(`COPY (${select}) TO STDOUT (${options})`));
  }

  async transaction<T>(work: (batch: Batch) => Promise<T>, first: readonly string[] = []): Promise<T> {
    this.client.pipelined = true;
    const batch = new PipelinedBatch(this.client);
    try {
      // Its answer is not awaited: after it fails nothing succeeds.
      const begun = batch.begin(['BEGIN', ...first]);
      const [, done] = await Promise.all([begun, work(batch)]);
      await batch.end();
      await this.client.query('COMMIT');
      return done;
    } catch (error) {
      // What has not failed must not send anything behind the ROLLBACK.
      await batch.end();
      // A broken connection cannot roll back, and need not.
      await this.client.query('ROLLBACK').catch(() => undefined);
      throw batch.causeOf(error);
    } finally {
      this.client.pipelined = false;
    }
  }
}
