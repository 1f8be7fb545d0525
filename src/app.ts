import type { FastifyInstance } from 'fastify';
import type { Services } from './graphql/context.js';
import { publicSchema } from './graphql/internal.js';
import { trustedExecutor } from './graphql/trusted.js';
import { createGraphQLServer } from './graphql/yoga.js';
import { registerDocs } from './http/docs.js';
import { registerGraphQL } from './http/graphql.js';
import { healthRoutes, registerHealth } from './http/health.js';
import { guardLoad } from './http/load.js';
import { registerMetrics } from './http/metrics.js';
import { registerPages } from './http/pages/register.js';
import { registerRoutes } from './http/rest.js';
import { createServer } from './http/server.js';
import { transactionRoutes } from './resources/transaction/rest.js';
import { utxoRoutes } from './resources/utxo/rest.js';
import { buildSchema } from './schema.js';

/** Every path of the REST API. */
export const routes = [...utxoRoutes, ...transactionRoutes];

/** The gateway, assembled and not yet listening. */
export async function buildApp(services: Services): Promise<FastifyInstance> {
  const schema = buildSchema();
  const run = trustedExecutor(
    schema,
    routes.map((route) => route.document),
    services,
  );
  const app = await createServer(services.config, services.log);
  const load = guardLoad(app, services.config);
  registerMetrics(app, services, load);
  registerHealth(app, services, load);
  registerRoutes(app, routes, run, services.config);
  registerDocs(app, [...routes, ...healthRoutes], services.config);
  registerPages(app, services);
  await registerGraphQL(app, createGraphQLServer(publicSchema(schema), services));
  return app;
}
