import { createHmac, randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { KnownCaller } from '../access/access-control.js';
import type { Services } from '../graphql/context.js';
import type { RequestTrace } from '../telemetry/tracing.js';
import { REQUEST_ID_HEADER } from './request-id.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set while traces are exported. */
    trace: RequestTrace | null;
    /** Bytes of a body that is sent in pieces, so far. */
    streamedBytes: number;
    /** Whether its end was seen: for a finished reply both the end and the close are emitted. */
    ended: boolean;
  }
}

/** The template of a request's route, never its path, which contains addresses; `unknown` if it has none. */
export function routeOf({ routeOptions }: FastifyRequest): string {
  return routeOptions.url ?? 'unknown';
}

/**
 * Logs each request if REQUEST_LOG says so, warns of each that took SLOW_REQUEST_MS or longer, and makes a
 * span if traces are exported. Registered before every other hook, so that refused requests are seen too.
 */
export function registerRequests(
  app: FastifyInstance,
  { config, log, tracing }: Pick<Services, 'config' | 'log' | 'tracing'>,
): void {
  const { REQUEST_LOG, SLOW_REQUEST_MS } = config;
  app.decorateRequest('trace', null);
  app.decorateRequest('streamedBytes', 0);
  app.decorateRequest('ended', false);
  if (!REQUEST_LOG && SLOW_REQUEST_MS === 0 && !tracing) return;
  const callerOf = callerNames();

  function end(request: FastifyRequest, reply: FastifyReply, aborted: boolean): void {
    if (request.ended) return;
    request.ended = true;
    const { trace } = request;
    // A stream is open as long as its client likes.
    const slow = SLOW_REQUEST_MS > 0 && reply.elapsedTime >= SLOW_REQUEST_MS && !request.endStream;
    trace?.end({ route: routeOf(request), status: reply.statusCode, aborted, requestId: request.id });
    if (slow) log.warn(lineOf(request, reply, aborted), 'a slow request');
    else if (REQUEST_LOG) log.info(lineOf(request, reply, aborted), 'a request');
  }

  function lineOf(request: FastifyRequest, reply: FastifyReply, aborted: boolean) {
    const { access, trace } = request;
    return {
      requestId: request.id,
      traceId: trace?.traceId,
      method: request.method,
      route: routeOf(request),
      status: reply.statusCode,
      // A client that left before it had the whole reply.
      aborted: aborted || undefined,
      plan: access?.caller.plan.name,
      ...(access && callerOf(access.caller)),
      statements: access?.record.statements ?? 0,
      rows: access?.record.rows ?? 0,
      bytes: bytesOf(request, reply),
      durationMs: Math.round(reply.elapsedTime * 1000) / 1000,
      operation: access?.record.operation,
      cost: access?.record.cost,
    };
  }

  app.addHook('onRequest', (request, reply, done) => {
    if (tracing) request.trace = tracing.begin(request.method, request.headers);
    if (tracing || REQUEST_LOG) reply.header(REQUEST_ID_HEADER, request.id);
    // Fastify has no hook for the end of a reply whose client left.
    reply.raw.once('close', () => end(request, reply, true));
    done();
  });
  // A compressed body has no length beforehand, and is compressed after this hook.
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (request.headers['accept-encoding'] !== undefined) countWrites(request, reply);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    end(request, reply, false);
    done();
  });
}

/** Passes the trace of an admitted request to those who do its work. After the envelope. */
export function registerTracedWork(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.access && request.trace) request.access.record.trace = request.trace;
    done();
  });
}

function bytesOf(request: FastifyRequest, reply: FastifyReply): number {
  if (request.method === 'HEAD') return 0;
  return request.streamedBytes || Number(reply.getHeader('content-length') ?? 0);
}

function countWrites(request: FastifyRequest, { raw }: FastifyReply): void {
  const write = raw.write.bind(raw) as (...args: unknown[]) => boolean;
  raw.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    request.streamedBytes += Buffer.byteLength(chunk);
    return write(chunk, ...rest);
  }) as typeof raw.write;
}

/**
 * Names callers in log lines: a key by its number, an address by a hash. The hash's secret belongs to this
 * process and is stored nowhere: with a permanent one an attacker could try all of the few billion addresses.
 */
function callerNames(): (caller: KnownCaller) => { caller: string; keyId?: number; client?: string } {
  const secret = randomBytes(32);
  return (caller) =>
    caller.kind === 'key'
      ? { caller: 'key', keyId: caller.keyId }
      : {
          caller: 'anonymous',
          client: createHmac('sha256', secret).update(caller.identity).digest('base64url').slice(0, 12),
        };
}
