import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.js';
import type { TrustedExecutor } from '../graphql/trusted.js';
import { inTime } from '../failure.js';
import { answer, type RestRequest } from '../rest/handler.js';
import type { Route } from '../rest/route.js';
import { refuseOtherMethods, sendJson } from './server.js';

/** Serves routes on their paths. */
export function registerRoutes(
  app: FastifyInstance,
  routes: readonly Route[],
  run: TrustedExecutor,
  { REQUEST_TIMEOUT_MS }: Pick<Config, 'REQUEST_TIMEOUT_MS'>,
): void {
  for (const route of routes) {
    const url = fastifyPath(route.path);
    app.route({
      method: route.method,
      url,
      handler: async (request, reply) =>
        sendJson(reply, await inTime(answer(route, request as RestRequest, run), REQUEST_TIMEOUT_MS)),
    });
    refuseOtherMethods(app, url, [route.method]);
  }
}

/** OpenAPI's path in Fastify's form: a parameter is `:name`, a colon is doubled. */
function fastifyPath(path: string): string {
  return path.replaceAll(':', '::').replace(/\{(\w+)\}/g, ':$1');
}
