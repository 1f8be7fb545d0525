import type { PrimaryLog } from './primary-log.js';

/** Milliseconds after which a replica that did not show a word gets another one. */
const AGAIN_MS = 10_000;

/** A word on the primary. */
export interface Word {
  word: string;
  /** Where the log ended once the word was in it. */
  position: bigint;
}

/** The properties of a replica. */
export interface Suspect {
  /** Different for every run of its server. */
  server: string;
  /** Its cluster; null if its role may not read it. */
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
 * Whether the log that a replica follows is the primary's. Being in recovery with this installation's data is
 * no proof: a standby of the former primary, of a promoted sibling or of a cluster filled from a dump is too.
 * So a new random word is written on the primary, which only its followers can have. Done once for each start
 * of either server.
 */
export class Proof {
  private provedOf: string | undefined;
  private challenge: { word: Word | null; of: string; at: number } | undefined;

  /** Why it is not proved; undefined when it is. @throws what reading from the replica throws */
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
      : 'does not follow DATABASE_URL: a row that was written there is missing';
  }

  /** Null if none can be written and there is none; undefined when the primary cannot be reached. */
  private async wordFor(of: string, primary: PrimaryLog): Promise<Word | null | undefined> {
    const now = performance.now();
    const { challenge } = this;
    if (challenge?.of === of && now - challenge.at < AGAIN_MS) return challenge.word;
    const word = await primary.write().catch(() => undefined);
    if (word !== undefined) this.challenge = { word, of, at: now };
    return word;
  }
}
