import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { shareOf } from '../concurrency-limit.js';
import type { Config } from '../config.js';
import type { AppError } from '../errors.js';
import type { Account } from '../shield/accounts.js';
import type { Connections } from '../shield/connections.js';
import { Load } from '../shield/load.js';
import { busy } from '../shield/refusals.js';
import { accessOf } from './envelope.js';
import { RequestLimit } from './request-limit.js';
import { sendError } from './server.js';

/**
 * Requests of one caller that are worked on at once, for each database connection that it may use: a request
 * that would wait for a connection gains nothing by starting, and nothing counts the memory of a half-made
 * reply.
 */
const RUNNING_PER_CONNECTION = 2;

type LoadConfig = Pick<Config, 'MAX_REQUESTS_IN_FLIGHT' | 'MAX_BODY_BYTES' | 'DATABASE_POOL'>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Also answered under overload and while closing, and not counted as in flight: health and metrics. */
    always?: boolean;
  }
  interface FastifyInstance {
    readonly load: Load;
  }
  interface FastifyRequest {
    /** The caller among whose requests in flight it counts. */
    holder: Account | null;
    /** Ends its stream, with a reason for the client; null for a request whose reply is none. */
    endStream: ((error: AppError) => void) | null;
    /** When its body began to be read, by `performance.now()`. */
    bodySince: number;
  }
}

/**
 * Refuses requests beyond MAX_REQUESTS_IN_FLIGHT before any work is done for them, those of one caller beyond
 * a quarter of it, and all of them once the server closes; closing waits for the requests that are being
 * answered. A request is in flight from the end of its body to the end of its reply or of the work for it,
 * whichever is later.
 */
export function guardLoad(app: FastifyInstance, config: LoadConfig, connections: Connections): Load {
  const load = new Load(config.MAX_REQUESTS_IN_FLIGHT, connections);
  const limit = new RequestLimit({
    most: RUNNING_PER_CONNECTION * shareOf(config.DATABASE_POOL),
    refusal: (account) => load.unread(account),
    tooLate: busy,
    refuse: (...refused) => void refuseUncharged(...refused),
    leave,
  });
  function leave(request: FastifyRequest): void {
    const { holder } = request;
    if (!holder) return;
    limit.end(request);
    request.holder = null;
    load.leave(holder);
  }
  app.decorate('load', load);
  app.decorateRequest('holder', null);
  app.decorateRequest('runningSince', null);
  app.decorateRequest('bodySince', 0);
  app.decorateRequest('endStream', null);
  noteBodies(app, config.MAX_BODY_BYTES, connections);
  admitRequests(app, load, limit, connections);
  app.addHook('onResponse', (request, _reply, done) => {
    leave(request);
    done();
  });
  // A client that is gone gets no response, but its request counts until the work for it has ended.
  app.addHook('onSend', (request, reply, payload, done) => {
    const connection = connections.of(request.raw.socket);
    const bytes = sizeOf(payload);
    limit.end(request, bytes);
    const { endStream } = request;
    // A stream is bounded by itself (live/streams.ts), and is no request in flight.
    if (endStream) leave(request);
    if (connection && endStream) connections.streaming(connection, endStream);
    else if (connection) connections.sending(connection, bytes);
    if (reply.raw.destroyed || request.raw.socket.destroyed) leave(request);
    else if (request.holder) reply.raw.once('close', () => leave(request));
    done();
  });
  // New connections are still accepted, so that health checks and clients get an answer instead of a refused
  // connection.
  app.addHook('preClose', () => load.close());
  return load;
}

/** Notes whose body a connection carries, since when, and how many bytes it may have. */
function noteBodies(app: FastifyInstance, mostBytes: number, connections: Connections): void {
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const connection = connections.of(request.raw.socket);
    request.bodySince = performance.now();
    if (connection) {
      connections.belongsTo(connection, accessOf(request).charge.identity);
      const length = bodyLength(request, mostBytes);
      if (length > 0) connections.reading(connection, request, length);
    }
    done();
  });
}

/**
 * Refuses a request at its head if the gateway is full, after its body if its caller uses its whole share.
 */
function admitRequests(
  app: FastifyInstance,
  load: Load,
  limit: RequestLimit,
  connections: Connections,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    // So that its next request opens a connection, which may reach another server.
    if (load.endsConnections) reply.header('connection', 'close');
    const { always } = request.routeOptions.config;
    if (!always) load.lastRequestAt = performance.now();
    const error = always ? undefined : load.refusal();
    if (error) void sendError(reply, error);
    else done();
  });
  app.addHook('preValidation', (request, reply, done) => {
    const connection = connections.of(request.raw.socket);
    accessOf(request).time.leaveOut(performance.now() - request.bodySince);
    if (connection?.phase === 'reading') connections.working(connection);
    if (request.routeOptions.config.always) return done();
    const account = connection?.account ?? connections.accounts.of(accessOf(request).charge.identity);
    const error = load.refusalOf(account);
    if (error) return void refuseUncharged(request, reply, error);
    request.holder = account;
    load.enter(account);
    limit.begin(request, reply, account, done);
  });
}

/** Refuses a request for which no work was done: it is charged nothing. */
async function refuseUncharged(request: FastifyRequest, reply: FastifyReply, error: AppError): Promise<void> {
  // If the count cannot be reached the charge stays.
  await accessOf(request)
    .charge.giveBack()
    .catch(() => undefined);
  void sendError(reply, error);
}

/** From the head; MAX_BODY_BYTES for a chunked body. */
function bodyLength({ headers }: FastifyRequest, max: number): number {
  if (headers['transfer-encoding'] !== undefined) return max;
  const length = headers['content-length'];
  return length === undefined ? 0 : Math.min(Number(length), max);
}

function sizeOf(payload: unknown): number {
  return typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0;
}
