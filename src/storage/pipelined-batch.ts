import { columnText, type CopyValue } from './copy.js';
import type { SessionClient } from './driver-session.js';
import { codeOf } from './errors.js';
import { copyIn, FEW_ROWS, insertText, namedWrite } from './sent-writes.js';
import type { Batch, Connection, Result } from './session.js';

/**
 * SQLSTATE of statements that fail because of an earlier one: the transaction is aborted, or the statement
 * was to be prepared by a message that was refused for that.
 */
const consequences: ReadonlySet<unknown> = new Set(['25P02', '26000']);

/**
 * A transaction whose statements are sent without waiting for the answers to earlier ones. The server runs
 * them in the order in which they were sent; after one that fails it refuses the others, and none is sent any
 * more.
 */
export class PipelinedBatch implements Batch {
  /** Statements that were sent and not answered. */
  private readonly sent = new Set<Promise<unknown>>();
  /** Settled after the COPY that waits or runs: until then nothing may be sent. */
  private copying: Promise<unknown> | undefined;
  private hasEnded = false;
  /** The first statement's failure. */
  private failure: Error | undefined;
  /** Settled when BEGIN is answered. */
  private beginning: Promise<unknown> | undefined;
  /** Whether something waits for that: then so does what comes after it. */
  private isWaiting = false;

  constructor(private readonly client: SessionClient) {}

  /**
   * Sends the statements that begin the transaction. Until they are answered only SELECTs are sent behind
   * them: if BEGIN failed, they would be in no transaction.
   */
  begin(statements: readonly string[]): Promise<unknown> {
    const begun = this.send(statements.join('; '));
    const settled = begun.then(noop, noop).then(() => (this.beginning = undefined));
    this.beginning = settled;
    return begun;
  }

  async query<Row extends object>(...[text, values]: Parameters<Connection['query']>): Promise<Result<Row>> {
    const statement = namedWrite(text, values);
    if (this.mustWait(/^\s*SELECT\b/i.test(statement.text))) await this.beginning;
    // In a loop: another COPY may have begun to wait meanwhile.
    while (this.copying) await this.copying;
    return this.send<Row>(statement);
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

  /**
   * What a failed transaction failed with: an error that is only the consequence of another one's is replaced
   * by that. Two answers may arrive at once, and the later one's error may be the first to get out of the
   * work.
   */
  causeOf(error: unknown): unknown {
    return consequences.has(codeOf(error)) ? (this.failure ?? error) : error;
  }

  private send<Row extends object>(statement: Parameters<Connection['query']>[0]): Promise<Result<Row>> {
    this.refuseIfEnded();
    return this.track((this.client as Connection).query<Row>(statement));
  }

  private mustWait(isRead: boolean): boolean {
    if (!this.beginning) return false;
    this.isWaiting ||= !isRead;
    return this.isWaiting;
  }

  /** The messages of a COPY would be taken for answers to statements that were sent before it. */
  private async copyAlone(copy: () => Promise<void>): Promise<void> {
    if (this.mustWait(false)) await this.beginning;
    while (this.copying) await this.copying;
    this.refuseIfEnded();
    const done = (async () => {
      await Promise.allSettled(this.sent);
      this.refuseIfEnded();
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
    if (this.failure) throw this.failure;
    if (this.hasEnded) throw new Error('the transaction has ended');
  }

  private track<T>(answer: Promise<T>): Promise<T> {
    this.sent.add(answer);
    const forget = () => this.sent.delete(answer);
    answer.then(forget, (error: Error) => {
      this.failure ??= error;
      forget();
    });
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
