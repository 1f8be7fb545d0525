import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ExecutionResult } from 'graphql';
import type { AppError } from '../errors.js';
import type { EventText } from '../graphql/event-texts.js';
import { refusedResult, takeHttp } from '../graphql/yoga.js';

/** How often a stream without events sends a comment, milliseconds: proxies close silent connections. */
const HEARTBEAT_MS = 15_000;
const COMPLETE = 'event: complete\ndata:\n\n';
const COMMENT = ':\n\n';

const headers = {
  'cache-control': 'no-cache, no-transform',
  // nginx would keep events until its buffer is full.
  'x-accel-buffering': 'no',
};

/** Sends the results of a subscription as graphql-sse has them in its mode of distinct connections. */
export function sendStream(
  request: FastifyRequest,
  reply: FastifyReply,
  events: AsyncIterator<EventText | ExecutionResult, undefined>,
): FastifyReply {
  const stream = new EventStream(events);
  request.endStream = (error) => stream.end(error);
  return reply.type('text/event-stream; charset=utf-8').headers(headers).send(stream);
}

/** A single result in the same form. @param text of it */
export function sendOnce(reply: FastifyReply, text: string): FastifyReply {
  return reply
    .type('text/event-stream; charset=utf-8')
    .headers(headers)
    .send(`${nextText(text)}${COMPLETE}`);
}

/** The text of a result with errors that has not been printed. */
function resultTextOf(result: ExecutionResult): string {
  takeHttp(result.errors, 'application/json');
  return JSON.stringify(result);
}

const nextText = (text: string) => `event: next\ndata: ${text}\n\n`;

/**
 * Pulls an event when the one before has been taken: a client that reads slowly is behind, and no event waits
 * in memory for it.
 */
class EventStream extends Readable {
  private isPulling = false;
  private hasEnded = false;
  private readonly heartbeat = setInterval(() => {
    if (this.readableLength === 0 && !this.hasEnded) this.push(COMMENT);
  }, HEARTBEAT_MS).unref();

  constructor(private readonly events: AsyncIterator<EventText | ExecutionResult, undefined>) {
    super();
    // So that the client sees at once that it is subscribed.
    this.push(COMMENT);
  }

  /** Sends why it ends, whether or not its client reads. */
  end(error: AppError): void {
    this.finish(nextText(JSON.stringify(refusedResult(error))));
  }

  override _read(): void {
    if (this.isPulling || this.hasEnded) return;
    this.isPulling = true;
    void this.pull();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.hasEnded = true;
    clearInterval(this.heartbeat);
    void this.events.return?.().catch(() => undefined);
    done(error);
  }

  private async pull(): Promise<void> {
    try {
      const { done, value } = await this.events.next();
      this.isPulling = false;
      if (this.hasEnded) return;
      if (done) return this.finish('');
      // What ends a stream is a result with errors; it has not been printed.
      this.push(nextText('text' in value ? value.text : resultTextOf(value)));
    } catch (error) {
      this.destroy(error as Error);
    }
  }

  private finish(last: string): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.push(last + COMPLETE);
    this.push(null);
    void this.events.return?.().catch(() => undefined);
  }
}
