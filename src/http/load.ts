import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config.js';
import { AppError } from '../errors.js';
import { sendError } from './server.js';

const OVERLOAD_RETRY_SECONDS = 1;
const SHUTDOWN_RETRY_SECONDS = 5;
/** How often a closing server looks whether the last request is answered, milliseconds. */
const LOOK_MS = 20;

/** How much a server has to do. */
export interface Load {
  /** Requests that are being answered. */
  readonly inFlight: number;
  /** Whether the server finishes what it has and takes no more. */
  readonly closing: boolean;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered under overload and while closing too: health and metrics. */
    always?: boolean;
  }
}

/**
 * Refuses requests beyond MAX_REQUESTS_IN_FLIGHT before any work is done for them, and all of them once the server
 * closes; closing waits for the requests that are being answered.
 */
export function guardLoad(
  app: FastifyInstance,
  {
    MAX_REQUESTS_IN_FLIGHT,
    REQUEST_TIMEOUT_MS,
  }: Pick<Config, 'MAX_REQUESTS_IN_FLIGHT' | 'REQUEST_TIMEOUT_MS'>,
): Load {
  const load = { inFlight: 0, closing: false };
  // What Fastify refuses before any hook, such as a malformed URL, is answered without having been counted.
  const counted = new WeakSet<FastifyRequest>();
  const leave = (request: FastifyRequest) => {
    if (counted.delete(request)) load.inFlight -= 1;
  };
  app.addHook('onRequest', (request, reply, done) => {
    counted.add(request);
    load.inFlight += 1;
    if (request.routeOptions.config.always) return done();
    if (load.closing) {
      void sendError(reply.header('connection', 'close'), shuttingDown());
    } else if (load.inFlight > MAX_REQUESTS_IN_FLIGHT) {
      void sendError(reply, overloaded(MAX_REQUESTS_IN_FLIGHT));
    } else {
      done();
    }
  });
  app.addHook('onResponse', (request, _reply, done) => {
    leave(request);
    done();
  });
  // A client that went away gets no response, but its request costs until the work for it has ended.
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (reply.raw.destroyed || request.raw.destroyed) leave(request);
    else reply.raw.once('close', () => leave(request));
    done();
  });
  // New connections are still taken meanwhile, so that health checks and clients are told instead of refused.
  app.addHook('preClose', async () => {
    load.closing = true;
    const deadline = Date.now() + REQUEST_TIMEOUT_MS;
    while (load.inFlight > 0 && Date.now() < deadline) await sleep(LOOK_MS);
  });
  return load;
}

function overloaded(max: number): AppError {
  return new AppError(
    'SERVICE_UNAVAILABLE',
    `The service is busy with ${max} other requests, as many as it takes at once; try again soon`,
    { retryAfterSeconds: OVERLOAD_RETRY_SECONDS },
  );
}

function shuttingDown(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', 'The service is shutting down; try again soon', {
    retryAfterSeconds: SHUTDOWN_RETRY_SECONDS,
  });
}
