import type { FastifyInstance, FastifyReply } from 'fastify';
import type { TrustedExecutor } from '../graphql/trusted.js';
import { answer, type RestRequest } from '../rest/handler.js';
import type { Route } from '../rest/route.js';
import { refuseOtherMethods, sendJson } from './server.js';

/** Serves routes on their paths. */
export function registerRoutes(app: FastifyInstance, routes: readonly Route[], run: TrustedExecutor): void {
  for (const route of routes) {
    const url = fastifyPath(route.path);
    const serve = (server: FastifyInstance) =>
      server.route({
        method: route.method,
        url,
        handler: async (request, reply) =>
          send(reply, route, await answer(route, request as RestRequest, run)),
      });
    if (route.method === 'POST') ignoringBodies(app, serve);
    else serve(app);
    refuseOtherMethods(app, url, [route.method]);
  }
}

function send(reply: FastifyReply, { success }: Route, body: string): FastifyReply {
  reply.code(success ?? 200);
  // A type would announce JSON, of which no text is empty.
  return body === '' ? reply.send() : sendJson(reply, body);
}

// Clients call a path without a body as they please: with a JSON type and nothing after it, or with no type.
function ignoringBodies(app: FastifyInstance, register: (scope: FastifyInstance) => void): void {
  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, parsed) => parsed(null));
    register(scope);
    done();
  });
}

/**
 * OpenAPI's path in Fastify's form: a parameter is `:name`, a colon is doubled. Right after a parameter it would be
 * taken for part of its name, unless an expression ends the name.
 */
function fastifyPath(path: string): string {
  return path
    .replaceAll(':', '::')
    .replace(/\{(\w+)\}(?=:)/g, ':$1(.*)')
    .replace(/\{(\w+)\}/g, ':$1');
}
