import type { Dispatcher, Pool } from 'undici';
import type { NodeAddress } from './address.js';
import type { BodyBudget } from './body-budget.js';
import { Failed, wrongAnswer } from './failed.js';

/** A whole call may take so many times the longest silence. */
const TOTAL_SILENCES = 6;
/** Milliseconds. The rest of its time a call needs for its answer. */
const CONNECT_MS = 5_000;
/** Milliseconds for which a connection without calls is kept: less than the 120 s of avalanchego's server. */
const KEPT_MS = 30_000;

export interface Reply {
  readonly status: number;
  readonly body: Buffer;
  readonly retryAfterMs: number | undefined;
}

export interface Post {
  readonly path: string;
  readonly body: string;
  /** Of the answer; the first byte more ends it. */
  readonly maxBytes: number;
  /** Milliseconds of silence after which it failed. */
  readonly silenceMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * The connections to one endpoint: HTTP/1.1, kept open between calls. They go where the operator said,
 * wherever that is, and follow no redirect: a node has none, and another server must not lead into the
 * operator's network.
 */
export class Poster {
  private pool: Promise<Pool> | undefined;

  constructor(
    private readonly address: NodeAddress,
    private readonly bounds: { connections: number; silenceMs: number; bodies: BodyBudget },
  ) {}

  /** @throws Failed (`connection`, `answer`); the signal's reason */
  async post(post: Post): Promise<Reply> {
    this.pool ??= this.open();
    const pool = await this.pool;
    post.signal?.throwIfAborted();
    return new Promise((resolve, reject) => this.dispatch(pool, post, resolve, reject));
  }

  async close(): Promise<void> {
    await (await this.pool)?.destroy();
  }

  private async open(): Promise<Pool> {
    // Imported by the first call, because most gateways follow nothing.
    const { Pool } = await import('undici');
    const { connections, silenceMs } = this.bounds;
    return new Pool(this.address.origin, {
      connections,
      connect: { timeout: Math.min(CONNECT_MS, silenceMs) },
      keepAliveTimeout: KEPT_MS,
    });
  }

  private dispatch(
    pool: Pool,
    { path, body, maxBytes, silenceMs, signal }: Post,
    resolve: (reply: Reply) => void,
    reject: (error: Error) => void,
  ): void {
    const { bodies } = this.bounds;
    const chunks: Buffer[] = [];
    let running: Dispatcher.DispatchController | undefined;
    let ended: Error | undefined;
    const end = (error: Error) => {
      if (ended) return;
      ended = error;
      clearTimeout(timer);
      bodies.free(chunks);
      signal?.removeEventListener('abort', giveUp);
      running?.abort(error);
      reject(error);
    };
    const giveUp = () => end(signal?.reason as Error);
    const late = () => end(new Failed({ on: 'connection', path, code: 'ETIMEDOUT', text: 'too slow' }));
    const timer = setTimeout(late, silenceMs * TOTAL_SILENCES);
    signal?.addEventListener('abort', giveUp, { once: true });
    const reply = { status: 0, retryAfterMs: undefined as number | undefined };
    let bytes = 0;
    const count = (more: number) => {
      if (more > maxBytes) end(wrongAnswer(path, 'too-large', `more than ${maxBytes} bytes`));
    };
    const headers = { 'content-type': 'application/json', 'user-agent': 'moraine', ...this.address.headers };
    pool.dispatch(
      {
        path: this.address.pathOf(path),
        method: 'POST',
        headers,
        body,
        headersTimeout: silenceMs,
        bodyTimeout: silenceMs,
      },
      {
        onRequestStart(controller) {
          running = controller;
          if (ended) controller.abort(ended);
        },
        onResponseStart(_controller, status, fields) {
          reply.status = status;
          reply.retryAfterMs = retryAfter(fields['retry-after']);
          count(Number(fields['content-length'] ?? 0));
        },
        onResponseData(_controller, chunk) {
          if (ended) return;
          count((bytes += chunk.length));
          // Counting may have ended it: bytes that are noted now would be kept for ever.
          if (ended) return;
          if (!bodies.take(chunks, chunk.length))
            end(new Failed({ on: 'connection', path, code: 'EBUDGET', text: 'too much at once' }));
          if (!ended) chunks.push(chunk);
        },
        onResponseEnd() {
          if (ended) return;
          clearTimeout(timer);
          bodies.free(chunks);
          signal?.removeEventListener('abort', giveUp);
          resolve({ ...reply, body: Buffer.concat(chunks, bytes) });
        },
        onResponseError(_controller, error) {
          end(ended ?? broken(path, error));
        },
      },
    );
  }
}

function broken(path: string, error: Error): Failed {
  // Several addresses of one name: the first error says why.
  const cause = error instanceof AggregateError ? ((error.errors[0] as Error | undefined) ?? error) : error;
  const { code = cause.name } = cause as NodeJS.ErrnoException;
  return new Failed({ on: 'connection', path, code, text: code });
}

/** Milliseconds of a Retry-After in seconds; a date is not read. */
function retryAfter(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,6}$/.test(header) ? Number(header) * 1000 : undefined;
}
