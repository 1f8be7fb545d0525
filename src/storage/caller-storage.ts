import type { Abandon } from './abandon.js';
import { callsAround } from './around.js';
import type { PoolWatcher } from './pool-watch.js';
import type { Database } from './prisma.js';
import type { Statement } from './read.js';
import { bytesOf, MOST_REPLY_BYTES, ReplyTooLarge } from './reply-bytes.js';
import type { RequestServer, Server, ServerFigures } from './server.js';
import type { Connection, Result, Session } from './session.js';
import type { Shares } from './share.js';
import { holds, type Observer, type PoolFigures, type Question, type Storage } from './storage.js';

/** The storage of the process behind a caller's. */
export function wholeStorage(storage: Storage): Storage {
  return storage instanceof CallerStorage ? storage.whole : storage;
}

/** See Storage.of. A class: one is made for each request. */
export class CallerStorage implements Storage {
  private database: Database | undefined;
  /** Bytes of the texts that were read for the request. */
  private bytes = 0;

  constructor(
    readonly whole: Storage,
    private readonly shares: Shares,
    private readonly caller: string,
    private readonly server: RequestServer,
    private readonly abandon?: Abandon,
    private readonly observer?: Observer,
  ) {}

  get prisma(): Database {
    return (this.database ??= callsAround(this.whole.prisma, (name, work) =>
      this.ask(name, ({ prisma }) => work(prisma)),
    ));
  }

  get follows(): boolean {
    return this.server.follows;
  }

  get description(): string {
    return this.whole.description;
  }

  get url(): string {
    return this.whole.url;
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
    return this.turn(() => this.whole.refuseWhileBehind());
  }

  isReadOnly(): Promise<boolean> {
    return this.turn(() => this.whole.isReadOnly());
  }

  of(...caller: Parameters<Storage['of']>): Storage {
    return this.whole.of(...caller);
  }

  turn<T>(work: () => Promise<T>): Promise<T> {
    return this.shares.run(this.caller, work);
  }

  moment<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.server.ask((server) => server.moment(work));
  }

  session<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.whole.session(work);
  }

  execute(text: string, values?: unknown[]): Promise<Result<object>> {
    return this.whole.execute(text, values);
  }

  aside<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.whole.aside(work);
  }

  figures(): PoolFigures {
    return this.whole.figures();
  }

  servers(): ServerFigures[] {
    return this.whole.servers();
  }

  watch(watcher: PoolWatcher): void {
    this.whole.watch(watcher);
  }

  close(): Promise<void> {
    return this.whole.close();
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
