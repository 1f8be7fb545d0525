import type { FastifyInstance } from 'fastify';
import { pino, type Logger } from 'pino';
import { openAccessControl } from '../../src/access/access-control.js';
import { buildApp } from '../../src/app.js';
import { loadConfig, type Config } from '../../src/config.js';
import type { Services } from '../../src/graphql/context.js';
import { createTokenCodec } from '../../src/paging/token.js';
import { loadInstallation } from '../../src/storage/installation.js';
import { openStorage, type Storage } from '../../src/storage/open.js';
import { createDatabase } from './database.js';

/** The assembled gateway on a fresh database, and its two doors. */
export interface TestApp {
  app: FastifyInstance;
  services: Services;
  storage: Storage;
  /** Present time of the gateway, milliseconds; set it to move the clock. */
  clock: { now: number };
  get(path: string, headers?: Record<string, string>): Promise<RestReply>;
  graphql<Data = Record<string, unknown>>(query: string, variables?: object): Promise<GraphQLReply<Data>>;
  close(): Promise<void>;
}

export interface RestReply {
  status: number;
  headers: Record<string, string>;
  text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read whatever a reply holds
  body: any;
}

export interface GraphQLReply<Data> {
  data: Data;
  errors?: { message: string; path?: (string | number)[]; extensions: Record<string, unknown> }[];
}

/**
 * @param env settings beside the database's
 * @param given a logger to use instead of a silent one
 */
export async function createApp(env: Record<string, string> = {}, given?: Logger): Promise<TestApp> {
  const database = await createDatabase();
  const config: Config = loadConfig({
    LOG_LEVEL: 'silent',
    RATE_LIMITS: 'off',
    ...env,
    DATABASE_URL: database.url,
  });
  const log = given ?? pino({ level: config.LOG_LEVEL });
  const storage = await openStorage(config, log);
  const clock = { now: Date.now() };
  const { id, secret } = await loadInstallation(storage.pool);
  const now = () => clock.now;
  const accessControl = openAccessControl(config, storage.prisma, { log, now });
  const tokens = createTokenCodec(secret, id, now);
  const services: Services = { config, log, storage, accessControl, now, tokens };
  const app = await buildApp(services);
  return {
    app,
    services,
    storage,
    clock,
    async get(path, headers = {}) {
      const reply = await app.inject({ url: path, headers });
      const json = String(reply.headers['content-type']).includes('json') && reply.body !== '';
      return {
        status: reply.statusCode,
        headers: reply.headers as Record<string, string>,
        text: reply.body,
        body: json ? (JSON.parse(reply.body) as unknown) : undefined,
      };
    },
    async graphql<Data>(query: string, variables: object = {}) {
      const reply = await app.inject({
        method: 'POST',
        url: '/graphql',
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify({ query, variables }),
      });
      return JSON.parse(reply.body) as GraphQLReply<Data>;
    },
    async close() {
      await app.close();
      await accessControl.close();
      await storage.close();
      await database.drop();
    },
  };
}
