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
export const CUT_MS = 8000;

/**
 * Requests of one caller that are worked on at once, for each connection to the database: what would wait for one gains
 * nothing from being begun, and what a half made reply holds is counted nowhere.
 */
const RUNNING_PER_CONNECTION = 2;

type LoadConfig = Pick<
  Config,
  'MAX_REQUESTS_IN_FLIGHT' | 'MAX_BODY_BYTES' | 'DATABASE_POOL' | 'REQUEST_TIMEOUT_MS'
>;

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
  interface FastifyInstance {
    readonly load: Load;
  }
  interface FastifyRequest {
    /** Whose slot the request has. */
    holder: Account | null;
    /** Whether it is one of those that are worked on. */
    isRunning: boolean;
  }
}

/**
 * Refuses requests beyond MAX_REQUESTS_IN_FLIGHT before any work is done for them, those of one caller beyond a quarter
 * of it, and all of them once the server closes; closing waits for the requests that are being answered. A request has
 * its slot from the end of its body to the end of its reply and of the work for it, whichever is later.
 */
export function guardLoad(app: FastifyInstance, config: LoadConfig, connections: Connections): Load {
  const { MAX_REQUESTS_IN_FLIGHT, MAX_BODY_BYTES, DATABASE_POOL, REQUEST_TIMEOUT_MS } = config;
  const share = shareOf(MAX_REQUESTS_IN_FLIGHT);
  const mostRunning = RUNNING_PER_CONNECTION * DATABASE_POOL;
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
  function stopRunning(request: FastifyRequest): void {
    if (!request.isRunning || !request.holder) return;
    request.isRunning = false;
    request.holder.running -= 1;
    request.holder.turns.shift()?.();
  }
  function leave(request: FastifyRequest): void {
    const { holder } = request;
    if (!holder) return;
    stopRunning(request);
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
  app.decorate('load', load);
  app.decorateRequest('holder', null);
  app.decorateRequest('isRunning', false);
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
    const run = () => {
      request.isRunning = true;
      account.running += 1;
      done();
    };
    if (account.running < mostRunning) run();
    else awaitTurn(request, reply, account, run);
  });
  function awaitTurn(request: FastifyRequest, reply: FastifyReply, account: Account, run: () => void): void {
    const give = (error: AppError | undefined) => {
      clearTimeout(timer);
      const place = account.turns.indexOf(turn);
      if (place >= 0) account.turns.splice(place, 1);
      reply.raw.off('close', left);
      if (error) void sendError(reply, error);
      else run();
    };
    const turn = () => {
      const error = unread(account);
      give(error);
      if (error) account.turns.shift()?.();
    };
    const left = () => {
      clearTimeout(timer);
      account.turns.splice(account.turns.indexOf(turn), 1);
      leave(request);
    };
    const timer = setTimeout(() => give(busy(account)), REQUEST_TIMEOUT_MS);
    account.turns.push(turn);
    reply.raw.once('close', left);
  }
  function greedy(account: Account): AppError | undefined {
    return account.slots >= share ? busy(account) : unread(account);
  }
  function busy({ slots }: Account): AppError {
    return shareTaken(
      `${slots} requests of yours are being answered, as many as it answers one caller at once`,
    );
  }
  function unread(account: Account): AppError | undefined {
    if (connections.hasRoom(account)) return undefined;
    return shareTaken('you have as many replies to read as it keeps for one caller');
  }
  app.addHook('onResponse', (request, _reply, done) => {
    leave(request);
    done();
  });
  // A client that went away gets no response, but its request costs until the work for it has ended.
  app.addHook('onSend', (request, reply, payload, done) => {
    const connection = connections.of(request.raw.socket);
    stopRunning(request);
    if (connection) connections.sending(connection, sizeOf(payload));
    if (reply.raw.destroyed || request.raw.socket.destroyed) leave(request);
    else if (request.holder) reply.raw.once('close', () => leave(request));
    done();
  });
  // New connections are still taken meanwhile, so that health checks and clients are told instead of refused.
  app.addHook('preClose', async () => {
    closing = true;
    const deadline = performance.now() + CUT_MS;
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
  return new AppError('SERVICE_UNAVAILABLE', `Your share of the service is taken: ${what}; try again soon`, {
    retryAfterSeconds: OVERLOAD_RETRY_SECONDS,
  });
}

function shuttingDown(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', 'The service is shutting down; try again soon', {
    retryAfterSeconds: SHUTDOWN_RETRY_SECONDS,
  });
}
