import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppError } from '../errors.js';
import type { Account } from './accounts.js';
import { sendError } from './server.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether it is one of those that are worked on. */
    isRunning: boolean;
  }
}

/**
 * Who has so much to read asks for large replies, each of which takes the event loop for tens of milliseconds: they are
 * made one after another, so that others get on between them.
 */
const LARGE_BYTES = 2 ** 20;

export interface RequestTurnsOptions {
  /** Requests of one caller that are worked on at once. */
  most: number;
  /** Milliseconds that a request waits for its turn. */
  patience: number;
  /** Why a request whose turn has come is not worked on after all. */
  refusal: (account: Account) => AppError | undefined;
  tooLate: (account: Account) => AppError;
  /** Gives the slot back of a request whose client went away before its turn. */
  leave: (request: FastifyRequest) => void;
}

/** Has a few requests of each caller worked on at once; the others hold their slots and wait, first come first. */
export class RequestTurns {
  constructor(private readonly options: RequestTurnsOptions) {}

  /** Calls `done` now or when it is the request's turn; refuses it when that comes too late. */
  begin(request: FastifyRequest, reply: FastifyReply, account: Account, done: () => void): void {
    const run = () => {
      request.isRunning = true;
      account.running += 1;
      done();
    };
    if (account.turns.length === 0 && account.running < this.mostOf(account)) run();
    else this.wait(request, reply, account, run);
  }

  /** To be called when the request's reply is made, or its work has ended otherwise. */
  end(request: FastifyRequest): void {
    if (!request.isRunning || !request.holder) return;
    request.isRunning = false;
    request.holder.running -= 1;
    this.next(request.holder);
  }

  private next(account: Account): void {
    while (account.turns.length > 0 && account.running < this.mostOf(account)) account.turns.shift()?.();
  }

  private mostOf({ bytes }: Account): number {
    return bytes > LARGE_BYTES ? 1 : this.options.most;
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
      void sendError(reply, error);
    };
    const timer = setTimeout(() => {
      forget();
      void sendError(reply, this.options.tooLate(account));
    }, this.options.patience);
    turns.push(turn);
    reply.raw.once('close', gone);
  }
}
