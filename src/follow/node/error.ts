/**
 * What a failure asks for. `wait`: the same call succeeds later (the node bootstraps, starts, is busy, has not accepted
 * this height yet). `elsewhere`: this endpoint cannot or must not answer it, another one may. `operator`: a flag of the
 * node or the address must change. `fault`: our own request was wrong.
 */
export type NodeErrorClass = 'wait' | 'elsewhere' | 'operator' | 'fault';

/** A node did not give an answer that counts. The message is for people and names no secret of an address. */
export class NodeError extends Error {
  /**
   * @param reason the name of the failure in the error table (error-table.ts): a closed set, for metrics and tests
   * @param endpoint printable name of the endpoint; null when none could be asked
   * @param reasons those of all endpoints; null for one that was not asked
   */
  constructor(
    readonly failureClass: NodeErrorClass,
    readonly reason: string,
    message: string,
    readonly endpoint: string | null,
    readonly reasons: readonly (string | null)[] = [reason],
  ) {
    super(message);
    this.name = 'NodeError';
  }

  /** Whether every endpoint gave one of these reasons: one that could not answer may say otherwise later. */
  isFromAll(reasons: ReadonlySet<string>): boolean {
    return this.reasons.every((each) => each !== null && reasons.has(each));
  }
}
