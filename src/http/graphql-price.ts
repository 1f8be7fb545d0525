import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import type { Access } from '../access/access-control.js';
import { refusal } from '../access/charge.js';
import type { AppError } from '../errors.js';
import { accessOf } from './envelope.js';
import { asksForPage } from './graphql-media-types.js';

/** Whether a request to /graphql is for the page of GraphiQL. */
export const isPage = (request: FastifyRequest): boolean => request.method !== 'POST' && asksForPage(request);

/** Refuses a blocked caller before its body is read: RATE_LIMITED. */
export function refuseBlocked(
  request: FastifyRequest,
  _reply: FastifyReply,
  done: HookHandlerDoneFunction,
): void {
  const looked = isPage(request) ? undefined : accessOf(request).charge.refuseBlocked();
  if (!looked) return done();
  looked.then(() => done(), done);
}

/** Charges the least price to a request that has not paid yet. @throws AppError RATE_LIMITED */
export async function payOne({ charge }: Pick<Access, 'charge'>): Promise<void> {
  if (charge.isTaken) return;
  const decision = await charge.take(1);
  if (!decision.admitted) throw refusal(decision, charge.plan);
}

/** The refusal of a request after it paid, or the refusal because it cannot pay. */
export function paidRefusal(refused: AppError, request: FastifyRequest): Promise<AppError> {
  return payOne(accessOf(request)).then(
    () => refused,
    (error: unknown) => error as AppError,
  );
}
