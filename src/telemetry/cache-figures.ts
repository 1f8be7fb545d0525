/** How a memory of this process does. */
export interface CacheFigures {
  readonly hits: number;
  readonly misses: number;
  /** Entries held. */
  readonly size: number;
  /** What they take, where it is known. */
  readonly bytes?: number;
}
