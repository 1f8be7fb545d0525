// What every subscriber is to do, in this process and, bundled, in a page.
import type { Subscribe } from './live-clients.js';
import type { StreamEvent } from './stream.js';

/** Repeatable numbers from 0 to below 1. */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Receives all events by the client of a library, with breaks: after each it goes on at any of the gateways,
 * after the last event that it has seen.
 */
export class Subscriber {
  readonly events: StreamEvent[] = [];
  /** The codes of errors. */
  readonly errors: unknown[] = [];
  /** How often it was subscribed. */
  begun = 0;
  ends = false;
  private readonly running: Promise<void>;

  /** @param urls the gateways; the test takes those away that are gone */
  constructor(
    private readonly subscribe: Subscribe,
    private readonly query: string,
    private readonly urls: readonly string[],
    private readonly next: () => number,
  ) {
    this.running = this.run();
  }

  /** Ends it, and waits. */
  end(): Promise<void> {
    this.ends = true;
    return this.running;
  }

  private async run(): Promise<void> {
    while (!this.ends) {
      // It forgets some of the last events, as one does that is killed before it has stored them.
      const forgotten = Math.floor(this.next() * 3);
      const after = (this.events.at(-1 - forgotten) ?? this.events[0])?.cursor;
      const url = this.urls[Math.floor(this.next() * this.urls.length)] ?? '';
      let isOver = false;
      const heard = {
        begun: () => void (this.begun += 1),
        data: ({ utxos }: { utxos: StreamEvent }) => void this.events.push(utxos),
        failed: (code: unknown) => void this.errors.push(code),
        // So does the gateway that is killed.
        ended: () => void (isOver = true),
      };
      const close = this.subscribe(url, this.query, { after }, heard);
      // Without an event there is no cursor yet: a break would be a hole.
      while (!isOver && !this.ends && this.events.length === 0) await sleep(20);
      for (const late = Date.now() + 50 + this.next() * 250; !isOver && Date.now() < late;) await sleep(20);
      close();
      await sleep(20);
    }
  }
}
