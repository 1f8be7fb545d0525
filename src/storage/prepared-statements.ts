import { isOfClient } from './statement.js';

/*
 * A statement that is kept prepared holds memory of its backend until it is forgotten: the text, its parse tree and its plan.
 * With PostgreSQL 18 that is 53 to 162 bytes for each character of a text of ours, and as much again where the text is short.
 */

/** What a statement is taken to hold of its backend, bytes: for each character, and beside that. */
const [PER_CHARACTER, PER_STATEMENT] = [160, 16 * 1024];
const MIB = 1024 * 1024;

/** What those of one owner may hold of one backend, bytes. */
const SHARES = { own: 32 * MIB, client: 16 * MIB };
/** A statement that would take more of its owner's share than this part is prepared without a name, and so kept by nobody. */
const LARGEST_PART = 1 / 8;
/**
 * Longest text of a client's that is kept behind a pooler, characters. PgBouncer bounds statements by their number alone,
 * and what we forget stays with the server until then; this is no longer than our own.
 */
const LONGEST_POOLED = 4096;

export type Owner = keyof typeof SHARES;
/** What connections keep prepared, by whose texts they are. */
export type PreparedFigures = Record<Owner, { statements: number; bytes: number }>;

interface Share {
  /** Bytes by name, the least used first. */
  kept: Map<string, number>;
  bytes: number;
}

/**
 * The statements that one connection keeps prepared, bounded by what they hold of the backend. Texts that come of clients'
 * documents are without number, as their literals are part of them: they have a share of their own, so that they never take
 * the place of ours.
 */
export class PreparedStatements {
  private readonly shares: Record<Owner, Share> = {
    own: { kept: new Map(), bytes: 0 },
    client: { kept: new Map(), bytes: 0 },
  };

  /** @param pooled whether the connection leads to a pooler */
  constructor(private readonly pooled = false) {}

  /**
   * Notes that a statement is used, which is prepared the first time.
   *
   * @returns names of those to forget before it is sent; null: it is to be sent without its name
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

const NONE: string[] = [];

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
