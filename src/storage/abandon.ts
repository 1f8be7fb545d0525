/**
 * Whether anybody still waits for what is read. Not an AbortController, because each request has one: its
 * signal and listeners took 4 % of a small request's processor time.
 */
export class Abandon {
  private reason: Error | undefined;
  private readonly listeners = new Set<() => void>();

  /** Why the answer is no longer wanted; undefined while it is. */
  why(): Error | undefined {
    return this.reason;
  }

  /** @throws why the answer is no longer wanted */
  insist(): void {
    if (this.reason) throw this.reason;
  }

  /** Calls its listeners, once. */
  abort(reason: Error): void {
    if (this.reason) return;
    this.reason = reason;
    for (const each of this.listeners) each();
    this.listeners.clear();
  }

  /** Calls `listener` when the read is abandoned, unless the listener was removed before. */
  onAbort(listener: () => void): void {
    this.listeners.add(listener);
  }

  forget(listener: () => void): void {
    this.listeners.delete(listener);
  }
}
