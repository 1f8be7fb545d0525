/**
 * Whether anybody still waits for what is read. Not an AbortController, since one is made for each request: its signal and
 * its listeners took 4 % of a small request's processor time.
 */
export class Abandon {
  private reason: Error | undefined;
  private readonly heeding = new Set<() => void>();

  /** Why nobody waits any longer; undefined while somebody does. */
  why(): Error | undefined {
    return this.reason;
  }

  /** @throws why nobody waits any longer */
  insist(): void {
    if (this.reason) throw this.reason;
  }

  /** Tells those who heed it, once. */
  abort(reason: Error): void {
    if (this.reason) return;
    this.reason = reason;
    for (const each of this.heeding) each();
    this.heeding.clear();
  }

  /** Has `listener` called when it is abandoned, unless that is forgotten before. */
  heed(listener: () => void): void {
    this.heeding.add(listener);
  }

  forget(listener: () => void): void {
    this.heeding.delete(listener);
  }
}
