import type { FastifyInstance, FastifyReply } from 'fastify';
import { getOperationAST, OperationTypeNode } from 'graphql';
import type { Config } from '../config.js';
import { AppError } from '../errors.js';
import { inTime } from '../failure.js';
import { foreignOrigin } from '../graphql/limits/admission.js';
import type { TrustedExecutor } from '../execution/trusted.js';
import { answer, type RestRequest, type RunDocument } from '../rest/handler.js';
import type { Route } from '../rest/route.js';
import type { UnavailablePath } from '../rest/unavailable.js';
import { accessOf } from './envelope.js';
import { isForeign } from './origin.js';
import { refuseOtherMethods, sendJson } from './server.js';

/** What a request of any route costs, whatever its document selects. */
const PRICE = 1;

/** Serves routes on their paths. */
export function registerRoutes(
  app: FastifyInstance,
  routes: readonly Route[],
  run: TrustedExecutor,
  config: Pick<Config, 'CORS_ORIGIN' | 'PUBLIC_URL'>,
): void {
  void app.register((scope, _options, done) => {
    for (const route of routes) {
      const changes = getOperationAST(route.document)?.operation === OperationTypeNode.MUTATION;
      scope.route({
        method: route.method,
        url: fastifyPath(route.path),
        config: { price: PRICE },
        handler: async (request, reply) => {
          if (changes && isForeign(request, config)) throw foreignOrigin();
          const access = accessOf(request);
          const runDocument: RunDocument = (document, variables, values) =>
            run(document, variables, access, values);
          const body = await inTime(
            answer(route, request as RestRequest, runDocument),
            access.time,
            access.abandon,
          );
          return send(reply, route, body);
        },
      });
    }
    for (const path of new Set(routes.map((route) => route.path))) {
      const methods = routes.filter((route) => route.path === path).map(({ method }) => method);
      refuseOtherMethods(scope, fastifyPath(path), methods);
    }
    done();
  });
}

/** Refuses the paths of the published API that Moraine has no data for: 501, and why. */
export function registerUnavailable(app: FastifyInstance, paths: readonly UnavailablePath[]): void {
  for (const { method, path, why } of paths) {
    const url = fastifyPath(path);
    const refuse = () => Promise.reject(new AppError('NOT_IMPLEMENTED', why));
    // Before the body is read.
    app.route({ method, url, onRequest: refuse, handler: () => undefined });
    refuseOtherMethods(app, url, [method]);
  }
}

function send(reply: FastifyReply, { response }: Route, body: string): FastifyReply {
  reply.code(response.status ?? 200);
  // A content type would announce JSON, and an empty text is not JSON.
  return body === '' ? reply.send() : sendJson(reply, body);
}

/** OpenAPI's path in Fastify's form: a parameter is `:name`, a colon is doubled. */
function fastifyPath(path: string): string {
  return path
    .replaceAll(':', '::')
    .replace(/\{(\w+)\}(?=:)/g, ':$1(.*)')
    .replace(/\{(\w+)\}/g, ':$1');
}
