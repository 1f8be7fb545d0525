/** Calls that wait for room, the first first. */
export class Queue {
  private readonly waiting: { wake: () => void }[] = [];

  /** Until it is woken. @throws the signal's reason */
  wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        const place = this.waiting.indexOf(entry);
        if (place >= 0) this.waiting.splice(place, 1);
        reject(signal?.reason as Error);
      };
      const entry = {
        wake: () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.waiting.push(entry);
    });
  }

  /** Wakes as many as there is room for, and one in any case: nobody else would wake it. */
  wake(room: number): void {
    for (const { wake } of this.waiting.splice(0, Math.max(1, room))) wake();
  }
}
