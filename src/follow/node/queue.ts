/** Calls that wait for room, in the order of their arrival, however often each has waited. */
export class Queue {
  private readonly waiting: { ticket: number; wake: () => void }[] = [];
  private tickets = 0;

  /** The position of a new call among all. */
  takeTicket(): number {
    return (this.tickets += 1);
  }

  /** Until it is woken. @throws the signal's reason */
  wait(ticket: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        const index = this.waiting.indexOf(entry);
        if (index >= 0) this.waiting.splice(index, 1);
        reject(signal?.reason as Error);
      };
      const entry = {
        ticket,
        wake: () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      // Nearly always behind all others.
      const before = this.waiting.findLastIndex((other) => other.ticket < ticket);
      this.waiting.splice(before + 1, 0, entry);
    });
  }

  /** Wakes as many as there is room for, but at least one: otherwise none would wake it. */
  wake(room: number): void {
    for (const { wake } of this.waiting.splice(0, Math.max(1, room))) wake();
  }
}
