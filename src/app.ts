import type { FastifyInstance } from 'fastify';
import { FieldLimiter } from './access/field-limiter.js';
import { trustedExecutor } from './execution/trusted.js';
import { PreparedExecutor } from './execution/executor.js';
import { LiteralShapes } from './execution/literal-shapes.js';
import { followReader } from './follow/status/status.js';
import type { Services } from './graphql/context.js';
import { Documents } from './graphql/documents.js';
import { IntrospectionAnswers } from './graphql/introspection.js';
import { LearntDocuments } from './graphql/learnt-documents.js';
import { publicSchema } from './graphql/internal.js';
import { Admission } from './graphql/limits/admission.js';
import { guardRootFields } from './graphql/limits/root-fields.js';
import { mutateOnPrimary } from './graphql/primary-mutations.js';
import { NewDocuments } from './graphql/new-documents.js';
import { PersistedDocuments } from './graphql/persisted-documents.js';
import { readTrustedOperations } from './graphql/trusted-operations.js';
import { createGraphQLServer } from './graphql/yoga.js';
import { Feed } from './live/feed.js';
import { Streams, type Live } from './live/streams.js';
import { connectionsOfCaller } from './storage/connection-limit.js';
import { Connections } from './shield/connections.js';
import { shuttingDown } from './shield/refusals.js';
import { constantHeaders } from './http/constant-headers.js';
import { registerDocs } from './http/docs.js';
import { registerEnvelope } from './http/envelope.js';
import { registerGraphQL } from './http/graphql.js';
import { healthRoutes, registerHealth } from './http/health.js';
import { guardLoad } from './http/guard-load.js';
import { registerMetrics } from './http/metrics.js';
import type { ReadNewestBlocks } from './http/metrics/queue.js';
import { explorerDocuments } from './http/pages/explorer.js';
import { registerPages } from './http/pages/register.js';
import { registerRequests, registerTracedWork } from './http/requests.js';
import { registerRoutes, registerUnavailable } from './http/rest.js';
import { createServer } from './http/server.js';
import { chainStatusStatement, readChainStatus } from './resources/chain-status/store.js';
import { compositeEngine } from './resources/composite-query/engines.js';
import { documentsOf } from './rest/route.js';
import { unavailablePaths } from './rest/unavailable.js';
import { readRecipes } from './recipes.js';
import { firstScreen, routes } from './resources.js';
import { buildSchema } from './schema.js';

/** What a gateway serves: everything, or only the paths under /v2 (METRICS_PORT). */
export type Served = 'everything' | 'metrics';

/** The servers of a gateway. */
export interface GatewayApps {
  app: FastifyInstance;
  /** Of METRICS_PORT. */
  metricsApp: FastifyInstance | undefined;
  /** Of PROMETHEUS_PORT. */
  measures: FastifyInstance | undefined;
  /** Those that exist. */
  all: FastifyInstance[];
}

/** Root fields of GraphQL that are not counted; an operation that selects nothing else costs 1. */
const freeFields = new Set(['rateLimit']);

/** The parts of DOCUMENT_CACHE_MB that answers to introspection and learnt texts may use. */
const ANSWERS_PART = 1 / 8;
const LEARNT_PART = 1 / 8;

/**
 * The gateway, assembled and not yet listening.
 *
 * @param measures also serves /metrics and the health checks, see buildMeasures; absent: only the other
 *   paths' server does
 */
export async function assembleApp(
  services: Services,
  served: Served = 'everything',
  measures?: FastifyInstance,
): Promise<FastifyInstance> {
  const schema = buildSchema();
  mutateOnPrimary(schema);
  const { accessControl, now } = services;
  const fields = new FieldLimiter(schema, freeFields, accessControl, now);
  guardRootFields(schema, freeFields);
  const run = trustedExecutor(
    schema,
    documentsOf(routes),
    services,
    new Admission({ schema, limits: null, fields, freeFields, makeRoom: () => true, isAnswered: () => true }),
  );
  const connections = new Connections(services.config, constantHeaders(services.config));
  const app = await createServer(services.config, services.log, services.accessControl, connections);
  registerRequests(app, services);
  const load = guardLoad(app, services.config, connections);
  registerEnvelope(app, services.accessControl);
  if (services.tracing) registerTracedWork(app);
  const following = followReader(services.storage, services.now);
  for (const each of measures ? [app, measures] : [app]) registerHealth(each, services, load, following);
  if (served === 'metrics') {
    const isOfMetrics = ({ path }: { path: string }) => path.startsWith('/v2/');
    registerRoutes(app, routes.filter(isOfMetrics), run, services);
    registerUnavailable(app, unavailablePaths.filter(isOfMetrics));
    return app;
  }
  const cacheBytes = services.config.DOCUMENT_CACHE_MB * 2 ** 20;
  const recipes = readRecipes();
  const shown = publicSchema(schema);
  const trusted = readTrustedOperations(services.config.TRUSTED_OPERATIONS, shown, explorerDocuments);
  const documents = new Documents(
    cacheBytes * (1 - ANSWERS_PART - LEARNT_PART),
    trusted.isClosed
      ? trusted.documents
      : recipes.flatMap((group) => group.examples.map(({ query }) => query)),
  );
  const learnt = new LearntDocuments(cacheBytes * LEARNT_PART, accessControl.limiter.documents);
  const shapes = new LiteralShapes(shown, documents, services.config);
  const newDocuments = new NewDocuments({
    isCrowded: () => load.isCrowded,
    running: () => connections.accounts.all(),
  });
  const answers = new IntrospectionAnswers(shown, cacheBytes * ANSWERS_PART, documents);
  const caches = {
    documents,
    document_shapes: shapes,
    learnt_documents: learnt,
    introspection: answers,
    keys: services.accessControl.keys.figures,
    composite_sets: compositeEngine(services).figures,
  };
  const live = streamsOf(app, services);
  registerMetrics(app, services, load, { caches, following, readNewest, live }, measures);
  registerRoutes(app, routes, run, services);
  registerUnavailable(app, unavailablePaths);
  registerDocs(app, [...routes, ...healthRoutes], services.config);
  registerPages(app, services, firstScreen, following);
  const admission = new Admission({
    schema: shown,
    limits: services.config,
    fields,
    freeFields,
    makeRoom: (document, bytes) => documents.makeRoom(document, bytes),
    isAnswered: (document, operation) => answers.find(document, operation) !== undefined,
  });
  const remembered = { trusted, documents, answers, newDocuments };
  const server = createGraphQLServer(shown, services, admission, remembered, live);
  const prepared = new PreparedExecutor({ services, documents, newDocuments, shapes, admission });
  const persisted = new PersistedDocuments(trusted, learnt);
  await registerGraphQL(app, { server, prepared, newDocuments, persisted, trusted }, services, recipes);
  return app;
}

/** What the streams of a server come from. They end as soon as it closes. */
function streamsOf(app: FastifyInstance, { config, storage, accessControl, log }: Services): Live {
  const connections = connectionsOfCaller(config.DATABASE_POOL);
  const streams = new Streams(config.MAX_STREAMS, connections, accessControl.limiter);
  app.load.onClosing(() => streams.end(shuttingDown()));
  return { feed: new Feed(storage, log), streams };
}

/** The newest blocks, for metrics. */
const readNewest: ReadNewestBlocks = (connection) =>
  readChainStatus(async () => (await connection.query(chainStatusStatement.text)).rows);

/** All servers of a gateway, as its settings divide the paths. */
export async function assembleApps(services: Services): Promise<GatewayApps> {
  const { PROMETHEUS_PORT, METRICS_PORT } = services.config;
  const measures = PROMETHEUS_PORT === undefined ? undefined : await buildMeasures(services);
  const app = await assembleApp(services, 'everything', measures);
  const metricsApp = METRICS_PORT === undefined ? undefined : await assembleApp(services, 'metrics');
  const all = [app, metricsApp, measures].filter((each) => each !== undefined);
  return { app, metricsApp, measures, all };
}

/**
 * A server for monitoring (PROMETHEUS_PORT): /metrics and the health checks, registered by the app that is
 * built with it. There they do not wait behind clients: on the clients' port a probe is accepted only after
 * all connections that came before it (http/more-listeners.ts).
 */
async function buildMeasures(services: Services): Promise<FastifyInstance> {
  const connections = new Connections(services.config, constantHeaders(services.config));
  const app = await createServer(services.config, services.log, services.accessControl, connections);
  guardLoad(app, services.config, connections);
  registerEnvelope(app, services.accessControl);
  return app;
}
