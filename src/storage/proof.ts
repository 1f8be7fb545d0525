import type { PrimaryLog } from './primary-log.js';

/** Milliseconds after which a replica that did not show a word is given another one. */
const AGAIN_MS = 10_000;

/** A word on the primary. */
export interface Word {
  word: string;
  /** Where its log ended once the word was in it. */
  position: bigint;
}

/** What is asked of a replica. */
export interface Suspect {
  /** Tells this run of its server from every other. */
  server: string;
  /** Which cluster it is of; null where its role may not know. */
  cluster: string | null;
  /** What it has replayed. */
  position: bigint;
  holds: (word: string) => Promise<boolean>;
}

/** Whether a replica is known to be of another cluster than the primary: their system identifiers differ. */
export function isOfAnother(suspect: Suspect, primary: PrimaryLog): boolean {
  return suspect.cluster !== null && primary.cluster !== null && suspect.cluster !== primary.cluster;
}

/**
 * Whether the log that a replica follows is the primary's. Being in recovery, and holding this installation, a standby of
 * the former primary, of a promoted sibling or of a cluster filled from a dump shows as well: so a new random word is
 * written on the primary, which only those who follow it can hold. Done once for each start of either server.
 */
export class Proof {
  private provedOf: string | undefined;
  private challenge: { word: Word | null; of: string; at: number } | undefined;

  /** Why it is not proved; undefined when it is. @throws what asking the replica throws */
  async problem(suspect: Suspect, primary: PrimaryLog): Promise<string | undefined> {
    const of = `${primary.server} ${suspect.server}`;
    if (this.provedOf === of) return undefined;
    this.provedOf = undefined;
    const word = await this.wordFor(of, primary);
    if (word === undefined) return 'cannot be compared with the primary';
    if (word === null) return 'cannot be proved to follow DATABASE_URL, which accepts no changes';
    if (await suspect.holds(word.word)) {
      this.provedOf = of;
      return undefined;
    }
    return suspect.position < word.position
      ? 'has not yet replayed the row that proves that it follows DATABASE_URL'
      : 'does not follow DATABASE_URL: it lacks a row that was written there';
  }

  /** Null where none can be written, nor is one held; undefined when the primary cannot be asked. */
  private async wordFor(of: string, primary: PrimaryLog): Promise<Word | null | undefined> {
    const now = performance.now();
    const { challenge } = this;
    if (challenge?.of === of && now - challenge.at < AGAIN_MS) return challenge.word;
    const word = await primary.write().catch(() => undefined);
    if (word !== undefined) this.challenge = { word, of, at: now };
    return word;
  }
}
