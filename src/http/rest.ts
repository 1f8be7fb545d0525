import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { getOperationAST, OperationTypeNode } from 'graphql';
import { AppError } from '../errors.js';
import { inTime } from '../failure.js';
import { foreignOrigin } from '../graphql/limits/admission.js';
import type { TrustedExecutor } from '../execution/trusted.js';
import { asCsv, csvForm, type CsvForm } from '../rest/csv.js';
import { answer, type RestRequest, type RunDocument } from '../rest/handler.js';
import type { DataOf, Route } from '../rest/route.js';
import type { UnavailablePath } from '../rest/unavailable.js';
import { prefersCsv } from './browser.js';
import { storageFor, type Services } from '../graphql/context.js';
import { outputsOf, outputsOfAddress, writesOf } from '../storage/write-versions.js';
import { cacheControl, ConditionalReplies, type Made } from './conditional-replies.js';
import { isKnown, sendNotModified, tagOf } from './entity-tag.js';
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
  services: Services,
): void {
  const replies = new ConditionalReplies(services.now);
  void app.register((scope, _options, done) => {
    for (const route of routes) {
      const csv = csvForm(route.response);
      const changes = getOperationAST(route.document)?.operation === OperationTypeNode.MUTATION;
      scope.route({
        method: route.method,
        url: fastifyPath(route.path),
        config: { price: PRICE },
        handler: async (request, reply) => {
          if (changes && isForeign(request, services.config)) throw foreignOrigin();
          const access = accessOf(request);
          const condition = route.method === 'GET' ? replies.of(request) : undefined;
          let known: Made | undefined;
          const runDocument: RunDocument = async (document, variables, values, dataOf) => {
            const storage = storageFor(services, access);
            known = dataOf && (await condition?.unchanged(storage, scopesOf(dataOf)));
            return known ? null : run(document, variables, access, values, storage);
          };
          const answered = await inTime(
            answer(route, request as RestRequest, runDocument),
            access.time,
            access.abandon,
          );
          if (csv) varyByAccept(reply);
          const { body = '', settledAt = known?.settledAt } = answered ?? {};
          const form = csv && prefersCsv(request.headers) ? csv : undefined;
          const sendBody = () => (form ? sendCsv(request, reply, form, body) : send(reply, route, body));
          if (route.method !== 'GET') return sendBody();
          const tag = known?.tag ?? tagOf(form ? `${form.rows}.csv ${body}` : body);
          condition?.remember({ tag, settledAt });
          const control = cacheControl(settledAt, services.now() / 1000, access.caller.kind === 'key');
          void reply.header('cache-control', control);
          if (isKnown(request, tag)) return sendNotModified(reply, tag);
          void reply.header('etag', tag);
          return sendBody();
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

/** The scopes whose versions change with the data. */
function scopesOf({ network, outputsOf: addresses }: DataOf): string[] {
  if (!addresses) return [writesOf(network)];
  return [outputsOf(network), ...addresses.map((address) => outputsOfAddress(network, address))];
}

/** Sends a page of a list as CSV, whose header names the next page. */
function sendCsv(request: FastifyRequest, reply: FastifyReply, form: CsvForm, body: string): FastifyReply {
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
