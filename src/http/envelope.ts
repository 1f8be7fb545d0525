import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Access, AccessControl } from '../access/access-control.js';
import { refusal } from '../access/charge.js';
import { AppError } from '../errors.js';
import { rateLimitHeaders } from '../access/headers.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the page is for everybody, whatever key the request has: health, docs and metrics pages. */
    free?: boolean | ((request: FastifyRequest) => boolean);
    /**
     * What a request costs before anything of it is read; GraphQL operations pay later. Absent: nothing up to
     * a rate (see FreeAllowance), beyond it 1.
     */
    price?: number | 'later';
    /** As how many requests one counts, where pages for everybody are free up to a rate; absent: as one. */
    weight?: number;
  }
  interface FastifyRequest {
    /** Set once the request is admitted. */
    access: Access | null;
  }
}

/**
 * Finds out, before any other work, whose request it is and what it pays, and adds the state of the key's
 * limit to every reply to a valid key, refusals included.
 */
export function registerEnvelope(app: FastifyInstance, control: AccessControl): void {
  app.decorateRequest('access', null);
  app.addHook('onRequest', async (request, reply) => {
    await enter(request, control);
    abandonWhenClientLeaves(request, reply);
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    const decision = request.access?.charge.decision;
    if (request.access?.caller.kind === 'anonymous') return done();
    // Most replies need not wait.
    if (decision) {
      void reply.headers(rateLimitHeaders(decision));
      return done();
    }
    writeStanding(request, reply, control).then(() => done(), done);
  });
}

/** Abandons the work for a request whose client leaves before it has the whole reply. */
function abandonWhenClientLeaves(request: FastifyRequest, { raw }: FastifyReply): void {
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
  const { free = false, always = false, price: declared, weight = 1 } = request.routeOptions.config;
  const isFree = typeof free === 'function' ? free(request) : free;
  const access = await control.admit(senderOf(request), { free: isFree });
  request.access = access;
  const price = isFree ? undefined : declared;
  if (price === 'later') return;
  // Monitoring is not refused for what other callers at its address request.
  const kind = always ? 'watching' : 'pages';
  if (price === undefined && control.free.take(access.charge.identity, kind, weight)) return;
  const decision = await access.charge.take(price ?? weight);
  if (!decision.admitted) throw refusal(decision, access.charge.plan);
}

/** Sets the rate-limit headers of a reply to a valid key; none for other callers. Nothing is charged. */
export async function writeStanding(
  request: FastifyRequest,
  reply: FastifyReply,
  control: AccessControl,
): Promise<void> {
  const { caller, charge } = request.access ?? (await control.recall(senderOf(request)));
  if (caller.kind === 'key') void reply.headers(rateLimitHeaders(await charge.standing()));
}

/** @throws Error for a request that was not admitted: an internal error */
export function accessOf({ access }: FastifyRequest): Access {
  if (!access) throw new Error('the request was not admitted');
  return access;
}

function senderOf({ headers, socket }: FastifyRequest) {
  return { headers, remoteAddress: socket.remoteAddress };
}
