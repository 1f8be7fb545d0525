/** The use of a cache of this process. */
export interface CacheFigures {
  readonly hits: number;
  readonly misses: number;
  /** Number of entries. */
  readonly size: number;
  /** Their memory, if it is known. */
  readonly bytes?: number;
}
