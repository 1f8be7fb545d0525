import type { FastifyInstance, InjectOptions } from 'fastify';
import { pino, type Logger } from 'pino';
import { inject } from 'vitest';
import { openAccessControl } from '../../src/access/access-control.js';
import { assembleApp } from '../../src/app.js';
import { loadConfig, type Config } from '../../src/config.js';
import type { Services } from '../../src/graphql/context.js';
import { createTokenCodec, type TokenCodec } from '../../src/paging/token.js';
import { loadInstallation } from '../../src/storage/installation.js';
import { openStorage, type Storage } from '../../src/storage/open.js';
import type { JobTimes } from '../../src/jobs/queue.js';
import { openTracing } from '../../src/telemetry/tracing.js';
import { startMetadataJobs } from '../../src/resources/nft/start-jobs.js';
import { startWebhooks, type WebhookOptions } from '../../src/resources/webhook/start-jobs.js';
import { createDatabase, type Filling } from './database.js';
import { through } from './pgbouncer.js';
import { limitStatements, tracesBehind } from './pooler-traces.js';

/** The assembled gateway on a new database, with its REST and GraphQL requests. */
export interface TestApp {
  app: FastifyInstance;
  services: Services;
  storage: Storage;
  /** The API key that examples of requests send, if they need one. */
  key?: string;
  /** Present time of the gateway, milliseconds; set it to move the clock. */
  clock: { now: number };
  post(path: string, headers?: Record<string, string>, body?: string): Promise<RestReply>;
  get(path: string, headers?: Record<string, string>): Promise<RestReply>;
  graphql<Data = Record<string, unknown>>(query: string, variables?: object): Promise<GraphQLReply<Data>>;
  close: () => Promise<void>;
}

export interface RestReply {
  status: number;
  headers: Record<string, string>;
  text: string;

  body: any;
}

export interface GraphQLReply<Data> {
  data: Data;
  errors?: { message: string; path?: (string | number)[]; extensions: Record<string, unknown> }[];
}

export interface AppOptions {
  /** Whether its database has the sample. */
  sample?: boolean;
  /** What its database has instead. */
  filling?: Filling;
  /** Of the worker. */
  times?: JobTimes;
  /** Of webhooks. */
  webhooks?: Omit<WebhookOptions, 'times'>;
  /** Instead of a silent one. */
  log?: Logger;
  /** Makes the address by which the gateway reaches its database: a proxy's, or that of another database. */
  reach?: (databaseUrl: string) => string | Promise<string>;
  /**
   * The port of a PgBouncer through which the gateway reaches its database; with TEST_POOLER all do, unless
   * `reach` says another way.
   */
  pooler?: number;
  /** Replaces the page tokens. */
  tokens?: (codec: TokenCodec) => TokenCodec;
}

/**
 * @param env settings in addition to the database's; WORKER is off unless set, because its polling would
 *   count as statements
 */
export async function createApp(
  env: Record<string, string> = {},
  {
    sample,
    filling,
    times,
    webhooks: webhookOptions,
    log: given,
    reach,
    pooler,
    tokens: replace = (codec) => codec,
  }: AppOptions = {},
): Promise<TestApp> {
  const database = await createDatabase({ sample, filling });
  const port = pooler ?? (reach ? undefined : inject('poolerPort'));
  const config: Config = loadConfig({
    LOG_LEVEL: 'silent',
    RATE_LIMITS: 'off',
    WORKER: 'off',
    ...env,
    ...(port === undefined
      ? { DATABASE_URL: reach ? await reach(database.url) : database.url }
      : await pooled(port, database.url, env['STATEMENT_TIMEOUT_MS'])),
  });
  const log = given ?? pino({ level: config.LOG_LEVEL });
  const storage = await openStorage(config, log);
  const clock = { now: Date.now() };
  const { id, secret } = await loadInstallation(storage.prisma);
  const now = () => clock.now;
  const tracing = await openTracing(config, log);
  const metadataJobs = await startMetadataJobs(config, storage, log, { times, tracing });
  const webhooks = await startWebhooks(config, storage, log, { times, ...webhookOptions });
  const tokens = replace(createTokenCodec(secret, id, now));
  const accessControl = await openAccessControl(config, storage.prisma, { log, now });
  const services: Services = {
    config,
    log,
    storage,
    accessControl,
    now,
    tokens,
    metadataJobs,
    webhooks,
    tracing,
  };
  const app = await assembleApp(services);
  return {
    app,
    services,
    storage,
    clock,
    ...doorOf(app),
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
      await metadataJobs.stop();
      await webhooks.stop();
      await accessControl.close();
      await tracing?.close();
      await storage.close();
      const traces = port === undefined ? [] : await tracesBehind(port, database.url);
      await database.drop();
      if (traces.length > 0) throw new Error(`the next client of the pooler meets ${traces.join(', ')}`);
    },
  };
}

async function pooled(port: number, databaseUrl: string, limit = '10000'): Promise<Record<string, string>> {
  await limitStatements(databaseUrl, limit);
  return { DATABASE_URL: through(port, databaseUrl), DIRECT_DATABASE_URL: databaseUrl };
}

/** REST requests to an assembled app. */
export function doorOf(app: FastifyInstance): Pick<TestApp, 'get' | 'post'> {
  async function rest(request: InjectOptions): Promise<RestReply> {
    const reply = await app.inject(request);
    const json = String(reply.headers['content-type']).includes('json') && reply.body !== '';
    return {
      status: reply.statusCode,
      headers: reply.headers as Record<string, string>,
      text: reply.body,
      body: json ? (JSON.parse(reply.body) as unknown) : undefined,
    };
  }
  return {
    get: (path, headers = {}) => rest({ url: path, headers }),
    post: (path, headers = {}, payload) => rest({ method: 'POST', url: path, headers, payload }),
  };
}
