import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.js';
import { AppError } from '../errors.js';
import { shareOf, type Account } from './accounts.js';
import type { Connections } from './connections.js';
import { accessOf } from './envelope.js';
import { sendError } from './server.js';

const OVERLOAD_RETRY_SECONDS = 1;
const SHUTDOWN_RETRY_SECONDS = 5;
/** How often a closing server looks whether the last request is answered, milliseconds. */
const LOOK_MS = 20;
/** After this time a closing server answers what is left with 503, milliseconds. */
const PATIENCE_MS = 8000;

/** How much a server has to do. */
export interface Load {
  /** Requests that are being answered; health checks and metrics are not among them. */
  readonly inFlight: number;
  /** Open connections. */
  readonly connections: number;
  /** Bytes of replies that clients have not read yet and of bodies that they are sending. */
  readonly unsentBytes: number;
  /** Requests refused with 503 so far: all slots taken, the caller's share taken, the server closing. */
  readonly refusals: Readonly<Record<'busy' | 'share' | 'closing', number>>;
  /** Whether the server finishes what it has and takes no more. */
  readonly closing: boolean;
  /** Answers what is unanswered with 503 at once and closes every connection; closing does so itself after 8 s. */
  cut(): void;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered under overload and while closing too, and takes no slot of others: health and metrics. */
    always?: boolean;
  }
  interface FastifyRequest {
    /** Whose slot the request has. */
    holder: Account | null;
  }
}

/**
 * Refuses requests beyond MAX_REQUESTS_IN_FLIGHT before any work is done for them, those of one caller beyond a quarter
 * of it, and all of them once the server closes; closing waits for the requests that are being answered. A request has
 * its slot from the end of its body to the end of its reply and of the work for it, whichever is later.
 */
export function guardLoad(
  app: FastifyInstance,
  { MAX_REQUESTS_IN_FLIGHT, MAX_BODY_BYTES }: Pick<Config, 'MAX_REQUESTS_IN_FLIGHT' | 'MAX_BODY_BYTES'>,
  connections: Connections,
): Load {
  const share = shareOf(MAX_REQUESTS_IN_FLIGHT);
  let inFlight = 0;
  let closing = false;
  let isCut = false;
  const refusals = { busy: 0, share: 0, closing: 0 };
  const load: Load = {
    refusals,
    get inFlight() {
      return inFlight;
    },
    get connections() {
      return connections.size;
    },
    get unsentBytes() {
      return connections.bytes;
    },
    get closing() {
      return closing;
    },
    cut() {
      isCut = true;
      connections.cut(shuttingDown());
    },
  };
  function leave(request: FastifyRequest): void {
    const { holder } = request;
    if (!holder) return;
    request.holder = null;
    inFlight -= 1;
    holder.slots -= 1;
    connections.accounts.settle(holder);
  }
  function refused(reply: FastifyReply): AppError | undefined {
    if (closing) {
      reply.header('connection', 'close');
      refusals.closing += 1;
      return shuttingDown();
    }
    if (inFlight < MAX_REQUESTS_IN_FLIGHT) return undefined;
    refusals.busy += 1;
    return overloaded(MAX_REQUESTS_IN_FLIGHT);
  }
  app.decorateRequest('holder', null);
  app.addHook('onRequest', (request, reply, done) => {
    const error = request.routeOptions.config.always ? undefined : refused(reply);
    if (error) void sendError(reply, error);
    else done();
  });
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const connection = connections.of(request.raw.socket);
    if (connection) {
      connections.belongsTo(connection, accessOf(request).charge.identity);
      const length = bodyLength(request, MAX_BODY_BYTES);
      if (length > 0) connections.reading(connection, request, length);
    }
    done();
  });
  app.addHook('preValidation', (request, reply, done) => {
    const connection = connections.of(request.raw.socket);
    if (connection?.phase === 'reading') connections.working(connection);
    if (request.routeOptions.config.always) return done();
    const account = connection?.account ?? connections.accounts.of(accessOf(request).charge.identity);
    const error = refused(reply) ?? greedy(account);
    if (error && !closing && inFlight < MAX_REQUESTS_IN_FLIGHT) refusals.share += 1;
    if (error) return void sendError(reply, error);
    request.holder = account;
    account.slots += 1;
    inFlight += 1;
    done();
  });
  function greedy(account: Account): AppError | undefined {
    if (account.slots >= share) return shareTaken(`${share} requests of yours are being answered`);
    if (connections.hasRoom(account)) return undefined;
    return shareTaken('replies to you that you have not read take up the memory');
  }
  app.addHook('onResponse', (request, _reply, done) => {
    leave(request);
    done();
  });
  // A client that went away gets no response, but its request costs until the work for it has ended.
  app.addHook('onSend', (request, reply, payload, done) => {
    const connection = connections.of(request.raw.socket);
    if (connection) connections.sending(connection, sizeOf(payload));
    if (reply.raw.destroyed || request.raw.socket.destroyed) leave(request);
    else if (request.holder) reply.raw.once('close', () => leave(request));
    done();
  });
  // New connections are still taken meanwhile, so that health checks and clients are told instead of refused.
  app.addHook('preClose', async () => {
    closing = true;
    const deadline = performance.now() + PATIENCE_MS;
    while (!isCut && inFlight > 0 && performance.now() < deadline) await sleep(LOOK_MS);
    load.cut();
  });
  return load;
}

/** As the head announces it; MAX_BODY_BYTES when it comes in chunks. */
function bodyLength({ headers }: FastifyRequest, max: number): number {
  if (headers['transfer-encoding'] !== undefined) return max;
  const length = headers['content-length'];
  return length === undefined ? 0 : Math.min(Number(length), max);
}

function sizeOf(payload: unknown): number {
  return typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0;
}

function overloaded(max: number): AppError {
  return new AppError(
    'SERVICE_UNAVAILABLE',
    `The service is busy with ${max} other requests, as many as it takes at once; try again soon`,
    { retryAfterSeconds: OVERLOAD_RETRY_SECONDS },
  );
}

function shareTaken(what: string): AppError {
  return new AppError(
    'SERVICE_UNAVAILABLE',
    `Your share of the service is taken: ${what}, as many as one caller is given at once; try again soon`,
    { retryAfterSeconds: OVERLOAD_RETRY_SECONDS },
  );
}

function shuttingDown(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', 'The service is shutting down; try again soon', {
    retryAfterSeconds: SHUTDOWN_RETRY_SECONDS,
  });
}
