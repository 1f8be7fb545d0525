/** The pauses of a loop that reads the feed again and again. */
export class Pause {
  private isWoken = false;
  private end: () => void = () => undefined;

  /** Ends the pause, or the next one if there is none now. */
  wake(): void {
    this.isWoken = true;
    this.end();
  }

  /** To be called before the feed is read: what has woken the loop until then is read now. */
  forget(): void {
    this.isWoken = false;
  }

  /** Resolves after a time, or at once when the loop was woken. */
  take(ms: number): Promise<void> {
    if (this.isWoken) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms).unref();
      this.end = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
