import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { getOperationAST, OperationTypeNode } from 'graphql';
import type { Config } from '../config.js';
import { AppError } from '../errors.js';
import { inTime } from '../failure.js';
import { foreignOrigin } from '../graphql/limits/admission.js';
import type { TrustedExecutor } from '../execution/trusted.js';
import { asCsv, csvForm, type CsvForm } from '../rest/csv.js';
import { answer, type RestRequest, type RunDocument } from '../rest/handler.js';
import type { Route } from '../rest/route.js';
import type { UnavailablePath } from '../rest/unavailable.js';
import { prefersCsv } from './browser.js';
import { accessOf } from './envelope.js';
import { isForeign } from './origin.js';
import { refuseOtherMethods, sendJson, varyByAccept } from './server.js';

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
      const csv = csvForm(route.response);
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
          return csv ? sendList(request, reply, csv, body) : send(reply, route, body);
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

/** Sends a page of a list as JSON or, to who prefers that, as CSV, whose header names the next page. */
function sendList(request: FastifyRequest, reply: FastifyReply, form: CsvForm, body: string): FastifyReply {
  varyByAccept(reply);
  if (!prefersCsv(request.headers)) return sendJson(reply, body);
  const { text, nextPageToken } = asCsv(form, body);
  if (nextPageToken) void reply.header('link', `<${withToken(request.url, nextPageToken)}>; rel="next"`);
  return reply
    .header('content-disposition', `attachment; filename="${form.rows}.csv"`)
    .type('text/csv; charset=utf-8; header=present')
    .send(text);
}

/** The same request for another page. */
function withToken(url: string, pageToken: string): string {
  const [path = '', query] = url.split('?');
  const parameters = new URLSearchParams(query);
  parameters.set('pageToken', pageToken);
  return `${path}?${parameters.toString()}`;
}

/** OpenAPI's path in Fastify's form: a parameter is `:name`, a colon is doubled. */
function fastifyPath(path: string): string {
  return path
    .replaceAll(':', '::')
    .replace(/\{(\w+)\}(?=:)/g, ':$1(.*)')
    .replace(/\{(\w+)\}/g, ':$1');
}
