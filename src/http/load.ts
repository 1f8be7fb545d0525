import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.js';
import type { AppError } from '../errors.js';
import { shareOf } from '../gate.js';
import type { Account } from './accounts.js';
import type { Connections } from './connections.js';
import { accessOf } from './envelope.js';
import { busy, overloaded, shuttingDown, tooMuchUnread } from './load-refusals.js';
import { sendError } from './server.js';
import { RequestTurns } from './request-turns.js';

/** How often a closing server looks whether the last request is answered, milliseconds. */
const LOOK_MS = 20;
/** After this time a closing server answers what is left with 503, milliseconds. */
export const CUT_MS = 8000;

/**
 * Requests of one caller that are worked on at once, for each connection to the database that it may have: what would
 * wait for one gains nothing from being begun, and what a half made reply holds is counted nowhere.
 */
const RUNNING_PER_CONNECTION = 2;

type LoadConfig = Pick<Config, 'MAX_REQUESTS_IN_FLIGHT' | 'MAX_BODY_BYTES' | 'DATABASE_POOL'>;

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
  /** When a request came last, health checks and metrics aside, by `performance.now()`; 0 when none did. */
  lastRequestAt: number;
  /** Whether the server closes or has said that it will. */
  readonly closing: boolean;
  /** Has the health checks say that the server will close, while it still takes requests: a balancer sends no more. */
  announceClosing(): void;
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
    /** When its body began to be read, by `performance.now()`. */
    bodySince: number;
  }
}

/**
 * Refuses requests beyond MAX_REQUESTS_IN_FLIGHT before any work is done for them, those of one caller beyond a quarter
 * of it, and all of them once the server closes; closing waits for the requests that are being answered. A request has
 * its slot from the end of its body to the end of its reply and of the work for it, whichever is later.
 */
export function guardLoad(app: FastifyInstance, config: LoadConfig, connections: Connections): Load {
  const { MAX_REQUESTS_IN_FLIGHT, MAX_BODY_BYTES, DATABASE_POOL } = config;
  const share = shareOf(MAX_REQUESTS_IN_FLIGHT);
  const turns = new RequestTurns({
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
      return connections.held.bytes;
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
    turns.end(request);
    request.holder = null;
    inFlight -= 1;
    holder.slots -= 1;
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
    // So that its next request comes by a connection to another server.
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
    const error = refused() ?? greedy(account);
    if (error && !closing && inFlight < MAX_REQUESTS_IN_FLIGHT) refusals.share += 1;
    if (error) return void refuseUncharged(request, reply, error);
    request.holder = account;
    account.slots += 1;
    inFlight += 1;
    turns.begin(request, reply, account, done);
  });
  function greedy(account: Account): AppError | undefined {
    return account.slots >= share ? busy(account) : unread(account);
  }
  function unread(account: Account): AppError | undefined {
    return connections.held.hasRoom(account) ? undefined : tooMuchUnread();
  }
  app.addHook('onResponse', (request, _reply, done) => {
    leave(request);
    done();
  });
  // A client that went away gets no response, but its request costs until the work for it has ended.
  app.addHook('onSend', (request, reply, payload, done) => {
    const connection = connections.of(request.raw.socket);
    const bytes = sizeOf(payload);
    turns.end(request, bytes);
    if (connection) connections.sending(connection, bytes);
    if (reply.raw.destroyed || request.raw.socket.destroyed) leave(request);
    else if (request.holder) reply.raw.once('close', () => leave(request));
    done();
  });
  // New connections are still taken meanwhile, so that health checks and clients are told instead of refused.
  app.addHook('preClose', async () => {
    load.announceClosing();
    closing = true;
    const deadline = (announcedAt ?? 0) + CUT_MS;
    while (!isCut && inFlight > 0 && performance.now() < deadline) await sleep(LOOK_MS);
    load.cut();
  });
  return load;
}

/** Refuses a request that no work was done for: it is charged nothing. */
async function refuseUncharged(request: FastifyRequest, reply: FastifyReply, error: AppError): Promise<void> {
  // Where the count cannot be reached the charge stays.
  await accessOf(request)
    .charge.giveBack()
    .catch(() => undefined);
  void sendError(reply, error);
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
