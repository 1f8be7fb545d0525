import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';
import { execute } from './postgres.js';

export interface Database {
  url: string;
  port: number;
  /** The same database, reached through another port of this machine. */
  through: (port: number) => string;
  query: <Row extends object>(sql: string, values?: unknown[]) => Promise<Row[]>;
  drop: () => Promise<void>;
}

/**
 * A separate database with the sample on the server that all tests share; `{ sample: false }`: an empty one.
 */
export async function createDatabase({ sample = true } = {}): Promise<Database> {
  const shared = new URL(inject('sampleServer').url);
  const name = `fault_${randomBytes(6).toString('hex')}`;
  const admin = new URL(shared);
  admin.pathname = '/postgres';
  for (let attempt = 1; ; attempt += 1) {
    try {
      await execute(
        { url: admin.href },
        `CREATE DATABASE ${name} TEMPLATE ${sample ? 'moraine' : 'template0'}`,
      );
      break;
    } catch (error) {
      // 55006: autovacuum is reading the template.
      if ((error as { code?: string }).code !== '55006' || attempt === 50) throw error;
      await sleep(100);
    }
  }
  const url = new URL(shared);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    port: Number(url.port),
    through: (port) => Object.assign(new URL(url), { port: String(port) }).href,
    query: (sql, values) => execute({ url: url.href }, sql, values),
    drop: async () => {
      await execute({ url: admin.href }, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}
