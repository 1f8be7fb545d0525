import type pg from 'pg';
import { isOfClient } from './statement.js';

/*
 * A prepared statement takes memory of its backend until it is closed: the text, its parse tree and its plan.
 * With PostgreSQL 18 that is 53 to 162 bytes for each character of one of our texts, and as much again if the
 * text is short.
 */

/** The estimated memory of a statement in its backend, bytes: for each character, and in addition to that. */
const [PER_CHARACTER, PER_STATEMENT] = [160, 16 * 1024];
const MIB = 1024 * 1024;

/** Most memory of one backend for the statements of one owner, bytes. */
const SHARES = { own: 32 * MIB, client: 16 * MIB };
/** A statement that would take more than this part of its owner's share gets no name, and is not kept. */
const LARGEST_PART = 1 / 8;
/**
 * Longest text of a client that is kept behind a pooler, characters. PgBouncer bounds statements only by
 * their number, and what we close stays in the server until then; this is no longer than our own texts.
 */
const LONGEST_POOLED = 4096;

export type Owner = keyof typeof SHARES;
/** What connections keep prepared, by the origin of the texts. */
export type PreparedFigures = Record<Owner, { statements: number; bytes: number }>;

/** No statement is closed. */
export const NONE: string[] = [];

interface Share {
  /** Bytes by name, the least recently used first. */
  kept: Map<string, number>;
  bytes: number;
}

/**
 * The statements that one connection keeps prepared, bounded by their memory in the backend. There is no end
 * of texts made from clients' documents, because their literals are part of them: they have their own share,
 * so that they never displace ours.
 */
export class PreparedStatements {
  private readonly shares: Record<Owner, Share> = {
    own: { kept: new Map(), bytes: 0 },
    client: { kept: new Map(), bytes: 0 },
  };

  /** @param pooled whether the connection leads to a pooler */
  constructor(private readonly pooled = false) {}

  /**
   * Notes the use of a statement, which is prepared the first time.
   *
   * @returns names of those to close before it is sent; null: send it without its name
   */
  use(name: string, text: string): string[] | null {
    const owner: Owner = isOfClient(name) ? 'client' : 'own';
    const share = this.shares[owner];
    const known = share.kept.get(name);
    if (known !== undefined) {
      share.kept.delete(name);
      share.kept.set(name, known);
      return NONE;
    }
    const bytes = PER_STATEMENT + PER_CHARACTER * text.length;
    if (bytes > SHARES[owner] * LARGEST_PART) return null;
    if (this.pooled && owner === 'client' && text.length > LONGEST_POOLED) return null;
    const forgotten = forgetLeastUsed(share, SHARES[owner] - bytes);
    share.kept.set(name, bytes);
    share.bytes += bytes;
    return forgotten;
  }

  addTo(figures: PreparedFigures): void {
    for (const owner of ['own', 'client'] as const) {
      figures[owner].statements += this.shares[owner].kept.size;
      figures[owner].bytes += this.shares[owner].bytes;
    }
  }
}

/** What several connections keep together. */
export function figuresOf(all: Iterable<{ prepared: PreparedStatements }>): PreparedFigures {
  const figures: PreparedFigures = { own: { statements: 0, bytes: 0 }, client: { statements: 0, bytes: 0 } };
  for (const { prepared } of all) prepared.addTo(figures);
  return figures;
}

function forgetLeastUsed(share: Share, room: number): string[] {
  const forgotten: string[] = [];
  for (const [name, bytes] of share.kept) {
    if (share.bytes <= room) break;
    share.kept.delete(name);
    share.bytes -= bytes;
    forgotten.push(name);
  }
  return forgotten;
}

/**
 * Makes a connection close statements that it prepared, in order with the other statements on it. With the
 * protocol's own message for each, which poolers track: they may not understand a text such as DEALLOCATE
 * ALL.
 */
export function forgetStatements(names: Iterable<string>): pg.Submittable {
  const forgetting: Forgetting = {
    submit(connection) {
      const { stream, parsedStatements } = connection as unknown as Kept;
      stream.cork();
      for (const name of names) {
        delete parsedStatements[name];
        connection.close({ type: 'S', name }, true);
      }
      connection.sync();
      stream.uncork();
    },
    // A connection on which this fails is lost, and its user gets the error.
    handleError: () => undefined,
    handleReadyForQuery: () => undefined,
  };
  return forgetting;
}

/** The methods that pg calls on what is submitted to it, and does not declare. */
interface Forgetting extends pg.Submittable {
  handleError: (error: Error) => void;
  handleReadyForQuery: () => void;
}

/** What pg stores of a connection, and does not declare. */
interface Kept {
  stream: { cork: () => void; uncork: () => void };
  parsedStatements: Record<string, string>;
}
