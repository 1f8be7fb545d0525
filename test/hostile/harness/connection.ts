import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Input } from './input.js';
import { MalformedResponse, parseResponse, show, type Response } from './response-parser.js';

/** What came back for an input. */
export interface Outcome {
  responses: readonly Response[];
  /** Whether the server closed the connection. */
  closed: boolean;
  /** What was wrong with the answer as HTTP; null for nothing. */
  broken: string | null;
  milliseconds: number;
}

/** Nothing may stay without an answer longer than this: three times the gateway's own time limit. */
const PATIENCE_MS = 30_000;
/** When nothing has come to what may be no request after this, the sending side ends. */
const SILENCE_MS = 120;

/** Sends inputs one after the other, over one connection as long as it can be kept. */
export class Connection {
  #kept: Socket | null = null;

  constructor(private readonly port: number) {}

  async exchange(input: Input): Promise<Outcome> {
    const kept = input.lone ? null : this.#kept;
    if (!input.lone) this.#kept = null;
    const outcome = await this.#attempt(input, kept ?? this.#open());
    // A kept connection may be closed by the server at any moment: what was sent then was never read.
    const raced = kept !== null && outcome.closed && outcome.responses.length === 0;
    return raced ? this.#attempt(input, this.#open()) : outcome;
  }

  close(): void {
    this.#kept?.resetAndDestroy();
    this.#kept = null;
  }

  #open(): Socket {
    const socket = connect({ port: this.port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    return socket.on('error', () => socket.destroy());
  }

  async #attempt(input: Input, socket: Socket): Promise<Outcome> {
    const started = performance.now();
    const reader = new Reader(input.methods);
    const silence = input.exact ? undefined : setTimeout(() => socket.end(), SILENCE_MS);
    const onData = (chunk: Buffer) => {
      // What begins with 100 Continue is taken for a request, whose answer may take longer.
      clearTimeout(silence);
      reader.add(chunk);
    };
    const onEnd = () => reader.end();
    socket.on('data', onData).on('end', onEnd).on('close', onEnd);
    let isSent = false;
    void this.#write(input, socket).then(() => (isSent = true));
    const patience = setTimeout(() => reader.fail('no whole answer and no end in 30 s'), PATIENCE_MS);
    await reader.done;
    clearTimeout(silence);
    clearTimeout(patience);
    socket.off('data', onData).off('end', onEnd).off('close', onEnd);
    const isOpen = !reader.closed && !reader.responses.at(-1)?.closes;
    // After an answer that came early the rest of the request still goes out: another one would be written
    // into it.
    const keep = !input.lone && isOpen && isSent && reader.broken === null;
    if (keep) this.#kept = socket;
    // Without TIME_WAIT, or ten thousand of these would use the ports up.
    else if (!socket.destroyed) socket.resetAndDestroy();
    const { responses, closed, broken } = reader;
    return { responses, closed, broken, milliseconds: performance.now() - started };
  }

  async #write({ pieces, halfClosed }: Input, socket: Socket): Promise<void> {
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) await sleep(1);
      if (socket.destroyed || !socket.writable) return;
      if (!socket.write(piece))
        await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => null);
    }
    if (halfClosed && socket.writable) socket.end();
  }
}

/** Gathers what comes and says when it is all there. */
class Reader {
  readonly responses: Response[] = [];
  readonly done: Promise<void>;
  closed = false;
  broken: string | null = null;
  #bytes: Buffer = Buffer.alloc(0);
  #finish!: () => void;

  constructor(private readonly methods: readonly string[]) {
    this.done = new Promise((resolve) => (this.#finish = resolve));
  }

  add(chunk: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
    this.#read();
  }

  end(): void {
    if (this.closed) return;
    this.closed = true;
    this.#read();
    if (this.broken === null && this.#bytes.length > 0)
      this.broken = `the connection ended within an answer: ${show(this.#bytes)}`;
    this.#finish();
  }

  fail(reason: string): void {
    this.broken = `${reason}; so far: ${show(this.#bytes)}`;
    this.#finish();
  }

  #read(): void {
    try {
      for (;;) {
        const method = this.methods[this.responses.length] ?? 'GET';
        const found = parseResponse(this.#bytes, method, this.closed);
        if (!found) break;
        this.responses.push(found.response);
        this.#bytes = found.rest;
        if (found.response.closes && this.#bytes.length > 0)
          throw new MalformedResponse(`after an answer that closes comes ${show(this.#bytes)}`);
      }
    } catch (error) {
      if (!(error instanceof MalformedResponse)) throw error;
      this.broken = error.message;
      return this.#finish();
    }
    const whole = this.responses.length >= this.methods.length && this.#bytes.length === 0;
    if (whole || this.responses.at(-1)?.closes) this.#finish();
  }
}
