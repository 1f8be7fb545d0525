import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Access, AccessControl } from '../access/access-control.js';
import { refusal } from '../access/charge.js';
import { AppError } from '../errors.js';
import { rateLimitHeaders } from '../access/headers.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For everybody, whatever key comes with the request: health, docs and metrics pages. */
    free?: boolean | ((request: FastifyRequest) => boolean);
    /**
     * What a request costs before anything of it is read; GraphQL operations pay later. Absent: nothing, while its caller
     * asks for little that is free (see FreeAllowance), else 1.
     */
    price?: number | 'later';
  }
  interface FastifyRequest {
    /** Set once the request is admitted. */
    access: Access | null;
  }
}

/**
 * Puts every request into its envelope: whose it is and what it pays is known before any other work, and every
 * reply to a valid key tells how the key stands, refusals included.
 */
export function registerEnvelope(app: FastifyInstance, control: AccessControl): void {
  app.decorateRequest('access', null);
  app.addHook('onRequest', async (request, reply) => {
    await enter(request, control);
    heedLeaving(request, reply);
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    const decision = request.access?.charge.decision;
    if (request.access?.caller.kind === 'anonymous') return done();
    // Most replies: without waiting for anything.
    if (decision) {
      void reply.headers(rateLimitHeaders(decision));
      return done();
    }
    tellStanding(request, reply, control).then(() => done(), done);
  });
}

/** Gives the work for a request up whose client leaves before it has the whole reply. */
function heedLeaving(request: FastifyRequest, { raw }: FastifyReply): void {
  const { abandon } = accessOf(request);
  const left = () => {
    if (!raw.writableFinished)
      abandon.abort(
        new AppError('SERVICE_UNAVAILABLE', 'The client closed the connection before the answer'),
      );
  };
  if (raw.destroyed) left();
  else raw.once('close', left);
}

/**
 * Finds out whose request it is and takes its price.
 *
 * @throws AppError UNAUTHENTICATED, RATE_LIMITED
 */
export async function enter(request: FastifyRequest, control: AccessControl): Promise<void> {
  const { free = false, always = false, price: asked } = request.routeOptions.config;
  const isFree = typeof free === 'function' ? free(request) : free;
  const access = await control.admit(senderOf(request), { free: isFree });
  request.access = access;
  const price = isFree ? undefined : asked;
  if (price === 'later') return;
  // Those who watch the gateway are not refused for what others on their address read.
  if (price === undefined && control.free.take(access.charge.identity, always ? 'watching' : 'pages')) return;
  const decision = await access.charge.take(price ?? 1);
  if (!decision.admitted) throw refusal(decision, access.charge.plan);
}

/** Writes the headers of a reply to a valid key; none for other callers. Nothing is charged. */
export async function tellStanding(
  request: FastifyRequest,
  reply: FastifyReply,
  control: AccessControl,
): Promise<void> {
  const { caller, charge } = request.access ?? (await control.recall(senderOf(request)));
  if (caller.kind === 'key') void reply.headers(rateLimitHeaders(await charge.standing()));
}

/** @throws Error for a request that was not admitted: a fault of ours */
export function accessOf({ access }: FastifyRequest): Access {
  if (!access) throw new Error('the request was not admitted');
  return access;
}

function senderOf({ headers, socket }: FastifyRequest) {
  return { headers, remoteAddress: socket.remoteAddress };
}
