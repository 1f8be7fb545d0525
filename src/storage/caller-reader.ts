import type { Abandon } from './abandon.js';
import type { Database } from './prisma.js';
import type { Statement } from './statement.js';
import { holds, type Observer, type Question, type Reader } from './reader.js';
import { bytesOf, MOST_REPLY_BYTES, ReplyTooLarge } from './reply-bytes.js';
import type { RequestServer, Server } from './server.js';
import type { Connection } from './session.js';

/** Runs work when it is its turn. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** See Storage.of. A class, because each request has one. */
export class CallerReader implements Reader {
  readonly #whole: Reader;
  private database: Database | undefined;
  /** Bytes of the texts that were read for the request. */
  private bytes = 0;

  constructor(
    whole: Reader,
    private readonly inTurn: InTurn,
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
      // If the caller has left while it waited, it is not read any more.
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
    return this.withinLimit(() => this.#whole.refuseWhileBehind());
  }

  withinLimit<T>(work: () => Promise<T>): Promise<T> {
    return this.inTurn(work);
  }

  snapshot<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.server.ask((server) => server.snapshot(work));
  }

  /** @throws ReplyTooLarge when more has been read than the largest reply */
  private insist(): void {
    if (this.bytes > MOST_REPLY_BYTES) throw new ReplyTooLarge();
  }

  private ask<T>(name: string, work: (server: Server) => Promise<T>): Promise<T> {
    const outcome = this.withinLimit(() => this.server.ask(work));
    this.observer?.noteStatement(name, outcome);
    return outcome;
  }
}

/**
 * Runs work that needs a connection, on a client that it passes. `name`: `Model.operation`, `$transaction`,
 * ….
 */
type Around = <T>(name: string, work: (database: Database) => Promise<T>) => Promise<T>;

type Call = (...values: unknown[]) => Promise<unknown>;
type Model = Record<string, Call>;

const membersOf = (database: Database) => database as unknown as Readonly<Record<string, unknown>>;

/**
 * A client whose calls run inside `around`, on the client that `around` passes; a transaction is one call. It
 * consists of proxies, because each request has one and `$extends` takes a third of a millisecond.
 *
 * @param database the client whose calls it has
 */
export function callsAround(database: Database, around: Around): Database {
  return new Proxy(database, {
    get(_database, key: keyof Database & string) {
      const value = membersOf(database)[key];
      if (typeof value === 'function')
        return (...values: unknown[]) => around(key, (on) => (on[key] as Call).apply(on, values));
      return typeof value === 'object' && value ? modelAround(key, value, around) : value;
    },
  });
}

function modelAround(name: keyof Database & string, model: object, around: Around): object {
  return new Proxy(model, {
    get(_model, key: string) {
      const call = (model as Record<string, unknown>)[key];
      if (typeof call !== 'function') return call;
      return (...values: unknown[]) =>
        around(`${name}.${key}`, (on) => {
          const its = membersOf(on)[name] as Model;
          return (its[key] as Call).apply(its, values);
        });
    },
  });
}
