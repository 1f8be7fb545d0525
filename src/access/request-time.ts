/**
 * The time that a request may take here (REQUEST_TIMEOUT_MS): for its key to be looked up, its turn to come and the work to be
 * done, together. The time in which its client sends the body has a bound of its own (BODY_TIMEOUT_MS).
 */
export class RequestTime {
  private until: number;

  /** Begins now. @param allowed milliseconds */
  constructor(readonly allowed: number) {
    this.until = performance.now() + allowed;
  }

  /** Milliseconds that are left. */
  get left(): number {
    return Math.max(0, this.until - performance.now());
  }

  /** Leaves out so many milliseconds that were the client's own. */
  leaveOut(milliseconds: number): void {
    this.until += milliseconds;
  }
}
