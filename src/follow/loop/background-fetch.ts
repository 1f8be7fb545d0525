/** A request to a node that runs while the loop handles other blocks. */
export class BackgroundFetch<T> {
  /** Resolves when there is an outcome. */
  readonly settled: Promise<void>;
  private answer: { readonly value: T } | { readonly error: Error } | undefined;
  private readonly closing = new AbortController();

  constructor(fetch: (signal: AbortSignal) => Promise<T>) {
    this.settled = fetch(this.closing.signal).then(
      (value) => void (this.answer = { value }),
      (error: unknown) =>
        void (this.answer = { error: error instanceof Error ? error : new Error(String(error)) }),
    );
  }

  /** The answer or why there is none; undefined before either. */
  get outcome(): { readonly value: T } | { readonly error: Error } | undefined {
    return this.answer;
  }

  /** Gives it up; its outcome is ignored from then on. @param why for the log */
  giveUp(why: string): void {
    this.closing.abort(new Error(why));
  }
}
