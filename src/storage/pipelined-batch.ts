import { columnText, type CopyValue } from './copy.js';
import type { SessionClient } from './driver-session.js';
import { copyIn, FEW_ROWS, insertText, namedWrite } from './sent-writes.js';
import type { Batch, Connection, Result } from './session.js';

/**
 * A transaction whose statements are sent without waiting for the answers to earlier ones. The server runs them in the order in
 * which they were sent; after one that fails it refuses the others, and none is sent any more.
 */
export class PipelinedBatch implements Batch {
  /** Statements that were sent and not answered. */
  private readonly sent = new Set<Promise<unknown>>();
  /** Settled after the COPY that waits or runs: until then nothing may be sent. */
  private copying: Promise<unknown> | undefined;
  private hasEnded = false;

  constructor(private readonly client: SessionClient) {}

  async query<Row extends object>(...[text, values]: Parameters<Connection['query']>): Promise<Result<Row>> {
    // In a loop: another COPY may have begun to wait meanwhile.
    while (this.copying) await this.copying;
    this.refuseIfEnded();
    return this.track((this.client as Connection).query<Row>(namedWrite(text, values)));
  }

  async copy(table: string, columns: readonly string[], rows: Iterable<readonly CopyValue[]>): Promise<void> {
    const { few, all } = lookAhead(rows, FEW_ROWS);
    if (!few) return this.copyAlone(() => copyIn(this.client, table, columns, all));
    if (few.length === 0) return;
    const values = few.flatMap((row) => row.map(columnText));
    await this.query(insertText(table, columns, few.length), values);
  }

  /** Sends no further statement, and waits until those that were sent are answered. */
  async end(): Promise<void> {
    this.hasEnded = true;
    await this.copying;
    await Promise.allSettled(this.sent);
  }

  /** The messages of a COPY would be taken for answers to statements that were sent before it. */
  private async copyAlone(copy: () => Promise<void>): Promise<void> {
    while (this.copying) await this.copying;
    this.refuseIfEnded();
    const done = (async () => {
      await Promise.allSettled(this.sent);
      const { pipelined } = this.client;
      this.client.pipelined = false;
      try {
        await copy();
      } finally {
        this.client.pipelined = pipelined;
      }
    })();
    const settled = done.then(noop, noop);
    this.copying = settled;
    try {
      await this.track(done);
    } finally {
      this.copying = undefined;
    }
  }

  private refuseIfEnded(): void {
    if (this.hasEnded) throw new Error('the transaction has ended');
  }

  private track<T>(answer: Promise<T>): Promise<T> {
    this.sent.add(answer);
    const forget = () => this.sent.delete(answer);
    answer.then(forget, forget);
    return answer;
  }
}

const noop = () => undefined;

/** All rows, and these as a list if they are few. */
function lookAhead<T>(rows: Iterable<T>, most: number): { few?: T[]; all: Iterable<T> } {
  const rest = rows[Symbol.iterator]();
  const first: T[] = [];
  for (let next = rest.next(); !next.done; next = rest.next())
    if (first.push(next.value) > most) return { all: chained(first, rest) };
  return { few: first, all: first };
}

function* chained<T>(first: readonly T[], rest: Iterator<T>): Generator<T> {
  yield* first;
  for (let next = rest.next(); !next.done; next = rest.next()) yield next.value;
}
