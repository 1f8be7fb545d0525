import type { Abandon } from './abandon.js';
import { callsAround } from './around.js';
import type { Database } from './prisma.js';
import type { Statement } from './read.js';
import { holds, type Observer, type Question, type Reader } from './reader.js';
import { bytesOf, MOST_REPLY_BYTES, ReplyTooLarge } from './reply-bytes.js';
import type { RequestServer, Server } from './server.js';
import type { Connection } from './session.js';
import type { Shares } from './share.js';

/** See Storage.of. A class: one is made for each request. */
export class CallerReader implements Reader {
  readonly #whole: Reader;
  private database: Database | undefined;
  /** Bytes of the texts that were read for the request. */
  private bytes = 0;

  constructor(
    whole: Reader,
    private readonly shares: Shares,
    private readonly caller: string,
    private readonly server: RequestServer,
    private readonly abandon?: Abandon,
    private readonly observer?: Observer,
  ) {
    this.#whole = whole;
  }

  get prisma(): Database {
    return (this.database ??= callsAround(this.#whole.prisma, (name, work) =>
      this.ask(name, ({ prisma }) => work(prisma)),
    ));
  }

  get follows(): boolean {
    return this.server.follows;
  }

  get key(): object {
    return this.#whole.key;
  }

  read<Row extends object>(statement: Statement, values: unknown[]): Promise<Row[]> {
    return this.ask(statement.name, async (server) => {
      // What waited for its turn meanwhile is not read any more.
      this.insist();
      const rows = await server.read<Row>(statement, values, this.abandon);
      for (const { text } of rows as { text?: unknown }[])
        if (typeof text === 'string') this.bytes += bytesOf(text);
      this.insist();
      return rows;
    });
  }

  holds(...question: Question): Promise<boolean> {
    return holds(this, ...question);
  }

  toPrimary(): boolean {
    return this.server.toPrimary();
  }

  refuseWhileBehind(): Promise<'primary' | 'standby'> {
    return this.turn(() => this.#whole.refuseWhileBehind());
  }

  turn<T>(work: () => Promise<T>): Promise<T> {
    return this.shares.run(this.caller, work);
  }

  moment<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.server.ask((server) => server.moment(work));
  }

  /** @throws ReplyTooLarge when more has been read than is answered at once */
  private insist(): void {
    if (this.bytes > MOST_REPLY_BYTES) throw new ReplyTooLarge();
  }

  private ask<T>(name: string, work: (server: Server) => Promise<T>): Promise<T> {
    const asked = this.turn(() => this.server.ask(work));
    this.observer?.noteStatement(name, asked);
    return asked;
  }
}
