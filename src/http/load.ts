import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.js';
import type { AppError } from '../errors.js';
import { shareOf } from '../concurrency-limit.js';
import type { Account } from './accounts.js';
import type { Connections } from './connections.js';
import { accessOf } from './envelope.js';
import { busy, overloaded, shuttingDown, tooMuchUnread } from './load-refusals.js';
import { sendError } from './server.js';
import { RequestLimit } from './request-limit.js';

/** How often a closing server checks whether the last request is answered, milliseconds. */
const LOOK_MS = 20;
/** After this time a closing server answers the remaining requests with 503, milliseconds. */
export const CUT_MS = 8000;

/**
 * Requests of one caller that are worked on at once, for each database connection that it may use: a request that would
 * wait for a connection gains nothing by starting, and nothing counts the memory of a half-made reply.
 */
const RUNNING_PER_CONNECTION = 2;

type LoadConfig = Pick<Config, 'MAX_REQUESTS_IN_FLIGHT' | 'MAX_BODY_BYTES' | 'DATABASE_POOL'>;

/** The load of a server. */
export interface Load {
  /** Requests that are being answered; without health checks and metrics. */
  readonly inFlight: number;
  /** Open connections. */
  readonly connections: number;
  /** Bytes of replies that clients have not read yet and of bodies that they are sending. */
  readonly unsentBytes: number;
  /** Requests refused with 503 so far: too many in flight, too many of the caller, the server closing. */
  readonly refusals: Readonly<Record<'busy' | 'share' | 'closing', number>>;
  /** Time of the last request, without health checks and metrics, by `performance.now()`; 0 when there was none. */
  lastRequestAt: number;
  /** Whether the server closes or has said that it will. */
  readonly closing: boolean;
  /**
   * Makes the health checks say that the server will close, while it still accepts requests: a balancer then sends no
   * more.
   */
  announceClosing(): void;
  /** Answers all unanswered requests with 503 at once and closes every connection; closing does so itself after 8 s. */
  cut(): void;
}

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
    /** When its body began to be read, by `performance.now()`. */
    bodySince: number;
  }
}

/**
 * Refuses requests beyond MAX_REQUESTS_IN_FLIGHT before any work is done for them, those of one caller beyond a quarter
 * of it, and all of them once the server closes; closing waits for the requests that are being answered. A request is
 * in flight from the end of its body to the end of its reply or of the work for it, whichever is later.
 */
export function guardLoad(app: FastifyInstance, config: LoadConfig, connections: Connections): Load {
  const { MAX_REQUESTS_IN_FLIGHT, MAX_BODY_BYTES, DATABASE_POOL } = config;
  const share = shareOf(MAX_REQUESTS_IN_FLIGHT);
  const limit = new RequestLimit({
    most: RUNNING_PER_CONNECTION * shareOf(DATABASE_POOL),
    refusal: unread,
    tooLate: busy,
    refuse: (...refused) => void refuseUncharged(...refused),
    leave,
  });
  let inFlight = 0;
  let closing = false;
  let announcedAt: number | undefined;
  let isCut = false;
  const refusals = { busy: 0, share: 0, closing: 0 };
  const load: Load = {
    refusals,
    lastRequestAt: 0,
    get inFlight() {
      return inFlight;
    },
    get connections() {
      return connections.size;
    },
    get unsentBytes() {
      return connections.unsent.bytes;
    },
    get closing() {
      return announcedAt !== undefined;
    },
    announceClosing() {
      announcedAt ??= performance.now();
    },
    cut() {
      isCut = true;
      connections.cut(shuttingDown());
    },
  };
  function leave(request: FastifyRequest): void {
    const { holder } = request;
    if (!holder) return;
    limit.end(request);
    request.holder = null;
    inFlight -= 1;
    holder.inFlight -= 1;
    connections.accounts.settle(holder);
  }
  function refused(): AppError | undefined {
    if (closing) {
      refusals.closing += 1;
      return shuttingDown();
    }
    if (inFlight < MAX_REQUESTS_IN_FLIGHT) return undefined;
    refusals.busy += 1;
    return overloaded(MAX_REQUESTS_IN_FLIGHT);
  }
  app.decorate('load', load);
  app.decorateRequest('holder', null);
  app.decorateRequest('runningSince', null);
  app.decorateRequest('bodySince', 0);
  app.addHook('onRequest', (request, reply, done) => {
    // So that its next request opens a connection, which may reach another server.
    if (announcedAt !== undefined) reply.header('connection', 'close');
    const { always } = request.routeOptions.config;
    if (!always) load.lastRequestAt = performance.now();
    const error = always ? undefined : refused();
    if (error) void sendError(reply, error);
    else done();
  });
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const connection = connections.of(request.raw.socket);
    request.bodySince = performance.now();
    if (connection) {
      connections.belongsTo(connection, accessOf(request).charge.identity);
      const length = bodyLength(request, MAX_BODY_BYTES);
      if (length > 0) connections.reading(connection, request, length);
    }
    done();
  });
  app.addHook('preValidation', (request, reply, done) => {
    const connection = connections.of(request.raw.socket);
    accessOf(request).time.leaveOut(performance.now() - request.bodySince);
    if (connection?.phase === 'reading') connections.working(connection);
    if (request.routeOptions.config.always) return done();
    const account = connection?.account ?? connections.accounts.of(accessOf(request).charge.identity);
    const error = refused() ?? overShare(account);
    if (error && !closing && inFlight < MAX_REQUESTS_IN_FLIGHT) refusals.share += 1;
    if (error) return void refuseUncharged(request, reply, error);
    request.holder = account;
    account.inFlight += 1;
    inFlight += 1;
    limit.begin(request, reply, account, done);
  });
  function overShare(account: Account): AppError | undefined {
    return account.inFlight >= share ? busy(account) : unread(account);
  }
  function unread(account: Account): AppError | undefined {
    return connections.unsent.hasRoom(account) ? undefined : tooMuchUnread();
  }
  app.addHook('onResponse', (request, _reply, done) => {
    leave(request);
    done();
  });
  // A client that is gone gets no response, but its request counts until the work for it has ended.
  app.addHook('onSend', (request, reply, payload, done) => {
    const connection = connections.of(request.raw.socket);
    const bytes = sizeOf(payload);
    limit.end(request, bytes);
    if (connection) connections.sending(connection, bytes);
    if (reply.raw.destroyed || request.raw.socket.destroyed) leave(request);
    else if (request.holder) reply.raw.once('close', () => leave(request));
    done();
  });
  // New connections are still accepted, so that health checks and clients get an answer instead of a refused
  // connection.
  app.addHook('preClose', async () => {
    load.announceClosing();
    closing = true;
    const deadline = (announcedAt ?? 0) + CUT_MS;
    while (!isCut && inFlight > 0 && performance.now() < deadline) await sleep(LOOK_MS);
    load.cut();
  });
  return load;
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
