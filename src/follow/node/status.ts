/** Whose head an endpoint has. */
export type HeadChain = 'P' | 'X' | 'C';

/** How one endpoint is doing. */
export interface EndpointStatus {
  /** Scheme, host and port of its address, and `#2` for the second of that name. */
  readonly name: string;
  /**
   * `lagging`: its head of a chain is behind that of another endpoint. `aside`: no call goes to it, or to a
   * part of it.
   */
  readonly state: 'ok' | 'lagging' | 'aside';
  /** For people; null when it is ok. */
  readonly reason: string | null;
  /** Milliseconds since 1970 until which it is set aside; null when it is not. */
  readonly until: number | null;
  /** Calls that run. */
  readonly running: number;
  /** How many may run at the moment. */
  readonly allowed: number;
  /** Newest heights that it named. */
  readonly heads: Readonly<Partial<Record<HeadChain, bigint>>>;
}

/** What was asked since the start. */
export interface NodeFigures {
  /** `outcome` is `ok` or the name of a failure (error-table.ts). */
  readonly requests: readonly { readonly method: string; readonly outcome: string; readonly count: number }[];
  /** Per method: requests, the seconds that they took together, and how many took at most so many seconds. */
  readonly latency: readonly {
    readonly method: string;
    readonly count: number;
    readonly seconds: number;
    /** One number for each of `latencyBounds`. */
    readonly within: readonly number[];
  }[];
}
