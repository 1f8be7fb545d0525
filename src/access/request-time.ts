/**
 * The time that a request may take (REQUEST_TIMEOUT_MS): looking up its key, waiting, and the work, together.
 * The time in which its client sends the body has its own bound (BODY_TIMEOUT_MS).
 */
export class RequestTime {
  private until: number;

  /** Starts now. @param allowed milliseconds */
  constructor(readonly allowed: number) {
    this.until = performance.now() + allowed;
  }

  /** Milliseconds that are left. */
  get left(): number {
    return Math.max(0, this.until - performance.now());
  }

  /** Adds milliseconds that the client used up, not we. */
  leaveOut(milliseconds: number): void {
    this.until += milliseconds;
  }
}
