import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppError } from '../errors.js';
import type { Account } from './accounts.js';
import { accessOf } from './envelope.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** When the work on it began, milliseconds of the process's clock; null before, and once its reply is made. */
    runningSince: number | null;
  }
}

/**
 * A larger reply takes the event loop for tens of milliseconds. A caller who asks for such is answered one request
 * after another, each after a pause as long as the last one took, so that others get on between them: while replies of
 * 4.4 MB were made for 300 clients of one caller without a pause, others waited 2 to 4 s.
 */
const LARGE_BYTES = 2 ** 20;
/** After the last of them, milliseconds; other requests of a caller who never has none under way are not slow for ever. */
const LARGE_MS = 10_000;

export interface RequestTurnsOptions {
  /** Requests of one caller that are worked on at once. */
  most: number;
  /** Why a request whose turn has come is not worked on after all. */
  refusal: (account: Account) => AppError | undefined;
  tooLate: (account: Account) => AppError;
  refuse: (request: FastifyRequest, reply: FastifyReply, error: AppError) => void;
  /** Gives the slot back of a request whose client went away before its turn. */
  leave: (request: FastifyRequest) => void;
}

/** Has a few requests of each caller worked on at once; the others hold their slots and wait, first come first. */
export class RequestTurns {
  constructor(private readonly options: RequestTurnsOptions) {}

  /** Calls `done` now or when it is the request's turn; refuses it when that comes too late. */
  begin(request: FastifyRequest, reply: FastifyReply, account: Account, done: () => void): void {
    const run = () => {
      request.runningSince = performance.now();
      account.running += 1;
      done();
    };
    if (account.turns.length === 0 && account.running < this.mostOf(account)) run();
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
    while (account.turns.length > 0 && account.running < this.mostOf(account)) account.turns.shift()?.();
  }

  private mostOf(account: Account): number {
    return wantsLarge(account) ? 1 : this.options.most;
  }

  private wait(request: FastifyRequest, reply: FastifyReply, account: Account, run: () => void): void {
    const { turns } = account;
    const forget = () => {
      clearTimeout(timer);
      reply.raw.off('close', gone);
      const place = turns.indexOf(turn);
      if (place >= 0) turns.splice(place, 1);
    };
    const gone = () => {
      forget();
      this.options.leave(request);
    };
    const turn = () => {
      forget();
      const error = this.options.refusal(account);
      if (!error) return run();
      this.options.refuse(request, reply, error);
    };
    const timer = setTimeout(() => {
      forget();
      this.options.refuse(request, reply, this.options.tooLate(account));
    }, accessOf(request).time.left);
    turns.push(turn);
    reply.raw.once('close', gone);
  }
}

const wantsLarge = ({ largeUntil }: Account) => performance.now() < largeUntil;
