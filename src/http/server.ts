import { maxHeaderSize, METHODS } from 'node:http';
import { constants } from 'node:zlib';
import compress, { type FastifyCompressOptions } from '@fastify/compress';
import cors from '@fastify/cors';
import { fastify, LogController } from 'fastify';
import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AccessControl } from '../access/access-control.js';
import type { Config } from '../config.js';
import { AppError, shorten } from '../errors.js';
import { toAppError } from '../failure.js';
import { errorReply } from '../rest/reply.js';
import type { Logger } from 'pino';
import { readBodiesAsText } from './body.js';
import { enter, writeStanding } from './envelope.js';
import type { Connections } from '../shield/connections.js';
import type { ConstantHeaders } from '../shield/raw-refusal.js';
import { constantHeaders, registerConstantHeaders } from './constant-headers.js';
import { prefersHtml } from './browser.js';
import { createListener, refuseUnreadable } from './listener.js';
import { errorPage, errorPageHeaders } from './pages/error.js';
import { REQUEST_ID_HEADER, requestIdOf } from './request-id.js';
import { refuseWebSockets } from './web-sockets.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether browsers come here too: not on the ports that are only for programs. */
    hasPages?: boolean;
  }
}

const JSON_TYPE = 'application/json; charset=utf-8';
/**
 * Length from which a text is sent as bytes: until a client has read it, Node would keep both the text and
 * its bytes, and the text stays in the heap long after.
 */
const LARGE_TEXT = 2 ** 18;

/**
 * How replies from 1 kB on are compressed: the best encoding that the client accepts, zstd if Node has it
 * (22.15, 23.8). Brotli's quality 3 makes a page of 100 rows in two thirds of gzip's time and 7 % smaller; 4
 * takes 80 % of it, for less than 1 %. Its window of 256 kB bounds the memory of an encoder.
 */
const compression: FastifyCompressOptions = {
  global: true,
  threshold: 1024,
  encodings: ['zstd', 'br', 'gzip', 'deflate'],
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_LGWIN]: 18 } },
};

/** An HTTP server that answers every path, right or wrong, in the contract's form. */
export async function createServer(
  config: Config,
  log: Logger,
  access: AccessControl,
  connections: Connections,
): Promise<FastifyInstance> {
  const headers = constantHeaders(config);
  // Cast to Fastify's own type, so that the server's type does not contain pino's.
  const logger: FastifyBaseLogger = log;
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdOf,
    bodyLimit: config.MAX_BODY_BYTES,
    serverFactory: (handler) => createListener(handler, connections, config),
    forceCloseConnections: 'idle',
    // load.ts refuses requests while closing.
    return503OnClosing: false,
    // Published clients send the colon of `transactions:listInternals` either way.
    rewriteUrl: ({ url = '/' }) => decodeColons(url),
    // As long as a URL may be: the parameter itself refuses what is too long, by its name.
    routerOptions: { maxParamLength: maxHeaderSize, ignoreTrailingSlash: true },
    frameworkErrors: (error, request, reply) => {
      void refuseUrl(error, request, reply, { access, log, headers });
    },
    clientErrorHandler: (error, socket) => refuseUnreadable(error, socket, connections),
  });
  // Every path then refuses these methods by name. Node never passes CONNECT on as a request.
  for (const method of METHODS)
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method);
  readBodiesAsText(app, config.MAX_BODY_BYTES);
  registerConstantHeaders(app, headers);
  await app.register(cors, {
    origin: config.CORS_ORIGIN.includes('*') ? '*' : [...config.CORS_ORIGIN],
    exposedHeaders: [
      REQUEST_ID_HEADER,
      'ratelimit-policy',
      'ratelimit-limit',
      'ratelimit-remaining',
      'ratelimit-reset',
      'retry-after',
      'link',
      'etag',
    ],
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
    maxAge: 86_400,
    // An OPTIONS that is no preflight is answered like one, instead of cors's own 400 in plain text.
    strictPreflight: false,
  });
  refuseWebSockets(app);
  await app.register(compress, compression);
  app.setNotFoundHandler((request, reply) => sendError(reply, notFound(request)));
  app.setErrorHandler((error, _request, reply) => sendError(reply, fromFastify(error as Error, log)));
  return app;
}

/** Sends a refusal in the specification's form; as a page to a browser, if the server has pages. */
export function sendError(reply: FastifyReply, error: AppError): FastifyReply {
  const { status, headers, body } = errorReply(error);
  void reply.code(status).headers(headers);
  if (!reply.server.hasPages) return reply.type(JSON_TYPE).send(body);
  varyByAccept(reply);
  if (!prefersHtml(reply.request.headers)) return reply.type(JSON_TYPE).send(body);
  return reply.headers(errorPageHeaders).type('text/html; charset=utf-8').send(errorPage(error));
}

/** Tells caches that the answer depends on the Accept header. */
export function varyByAccept(reply: FastifyReply): void {
  const vary = String(reply.getHeader('vary'));
  if (!/\baccept(,|$)/.test(vary)) void reply.header('vary', `${vary}, accept`);
}

/** Sends JSON text unchanged. */
export function sendJson(reply: FastifyReply, text: string): FastifyReply {
  return reply.type(JSON_TYPE).send(text.length > LARGE_TEXT ? Buffer.from(text) : text);
}

/** Answers the methods that a path does not have with 405; HEAD comes with GET. */
export function refuseOtherMethods(app: FastifyInstance, url: string, allowed: readonly string[]): void {
  const known = allowed.includes('GET') ? [...allowed, 'HEAD'] : allowed;
  const others = app.supportedMethods.filter((method) => ![...known, 'OPTIONS'].includes(method));
  app.route({
    method: others,
    url,
    // Before the body is read: the body of a refused method does not matter, whatever its type.
    onRequest: ({ method }, reply) => {
      reply.header('allow', known.join(', '));
      const message = `${method} is not allowed here; allowed: ${known.join(', ')}`;
      return Promise.reject(new AppError('METHOD_NOT_ALLOWED', message));
    },
    handler: () => undefined,
  });
}

function decodeColons(url: string): string {
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  return path.includes('%3') ? path.replace(/%3A/gi, ':') + (end < 0 ? '' : url.slice(end)) : url;
}

function notFound({ method, url }: FastifyRequest): AppError {
  return new AppError(
    'NOT_FOUND',
    `Cannot ${method} ${url.split('?')[0]?.slice(0, 200)}: there is no such path`,
  );
}

/** The error that the caller may see for anything that Fastify or a handler threw. */
export function fromFastify(error: Error & { statusCode?: number }, log: Logger): AppError {
  const ours = error.statusCode !== undefined && error.statusCode < 500 && !(error instanceof AppError);
  return ours ? badRequest(error as FastifyError) : toAppError(error, log);
}

// A URL that cannot be routed: no hook runs for it, so the envelope is called here.
async function refuseUrl(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  { access, log, headers }: { access: AccessControl; log: Logger; headers: ConstantHeaders },
): Promise<void> {
  const refused = await enter(request, access).then(
    () => badRequest(error),
    (reason: unknown) => toAppError(reason, log),
  );
  await writeStanding(request, reply.headers(headers), access);
  await sendError(reply, refused);
}

// Fastify's own refusals, such as of a path that cannot be decoded.
function badRequest(error: FastifyError): AppError {
  // Its message may quote the whole path.
  return new AppError('BAD_USER_INPUT', shorten(error.message, 300));
}
