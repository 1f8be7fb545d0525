import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppError } from '../errors.js';
import type { Account } from '../shield/accounts.js';
import { accessOf } from './envelope.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** When work on it began, by the process's clock, ms; null before, and once its reply is made. */
    runningSince: number | null;
  }
}

/**
 * A larger reply takes the event loop for tens of milliseconds. A caller of such replies is answered one
 * request after another, each after a pause as long as the last one took, so that other callers are answered
 * between them: while replies of 4.4 MB were made for 300 clients of one caller without a pause, others
 * waited 2 to 4 s.
 */
const LARGE_BYTES = 2 ** 20;
/**
 * How long this lasts after the last large reply, milliseconds; otherwise a caller who always has requests
 * running would stay slow.
 */
const LARGE_MS = 10_000;

export interface RequestLimitOptions {
  /** Requests of one caller that are worked on at once. */
  most: number;
  /** Why a request is refused although it could start now. */
  refusal: (account: Account) => AppError | undefined;
  tooLate: (account: Account) => AppError;
  refuse: (request: FastifyRequest, reply: FastifyReply, error: AppError) => void;
  /** Releases a request whose client left before it started. */
  leave: (request: FastifyRequest) => void;
}

/** Works on a few requests of each caller at once; the others wait in order, and stay in flight. */
export class RequestLimit {
  constructor(private readonly options: RequestLimitOptions) {}

  /** Calls `done` now or when the request may start; refuses it if that comes too late. */
  begin(request: FastifyRequest, reply: FastifyReply, account: Account, done: () => void): void {
    const run = () => {
      request.runningSince = performance.now();
      account.running += 1;
      done();
    };
    if (account.queued.length === 0 && account.running < this.mostOf(account)) run();
    else this.wait(request, reply, account, run);
  }

  /** To be called when the request's reply is made, `bytes` long, or its work has ended otherwise. */
  end(request: FastifyRequest, bytes = 0): void {
    const { runningSince, holder } = request;
    if (runningSince === null || !holder) return;
    if (bytes > LARGE_BYTES) holder.largeUntil = performance.now() + LARGE_MS;
    request.runningSince = null;
    const next = () => {
      holder.running -= 1;
      this.next(holder);
    };
    if (wantsLarge(holder)) setTimeout(next, performance.now() - runningSince).unref();
    else next();
  }

  private next(account: Account): void {
    while (account.queued.length > 0 && account.running < this.mostOf(account)) account.queued.shift()?.();
  }

  private mostOf(account: Account): number {
    return wantsLarge(account) ? 1 : this.options.most;
  }

  private wait(request: FastifyRequest, reply: FastifyReply, account: Account, run: () => void): void {
    const { queued } = account;
    const forget = () => {
      clearTimeout(timer);
      reply.raw.off('close', gone);
      const index = queued.indexOf(start);
      if (index >= 0) queued.splice(index, 1);
    };
    const gone = () => {
      forget();
      this.options.leave(request);
    };
    const start = () => {
      forget();
      const error = this.options.refusal(account);
      if (!error) return run();
      this.options.refuse(request, reply, error);
    };
    const timer = setTimeout(() => {
      forget();
      this.options.refuse(request, reply, this.options.tooLate(account));
    }, accessOf(request).time.left);
    queued.push(start);
    reply.raw.once('close', gone);
  }
}

const wantsLarge = ({ largeUntil }: Account) => performance.now() < largeUntil;
