/**
 * What a failure asks for. Only the words that are known (refusals.ts) say more than `wait`.
 *
 * - `wait`: the same call may succeed later: the node bootstraps, starts, is busy, has not accepted this
 *   height yet, or said something that nobody knows.
 * - `elsewhere`: this endpoint cannot or must not answer it, another one may.
 * - `refused`: the endpoint answers calls like this one, and refuses this one.
 * - `operator`: a flag of the node or the address must change.
 */
export type NodeErrorClass = 'wait' | 'elsewhere' | 'refused' | 'operator';

/** A node did not give an answer that counts. The message is for people and names no secret of an address. */
export class NodeError extends Error {
  /**
   * @param reason the name of the failure in the error table (error-table.ts): a closed set, for metrics and
   *   tests
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

/** A batch failed that may be answered in parts. */
export class BatchRefused extends NodeError {
  /**
   * @param isWhole whether it was refused as a batch, not because of one of its calls
   * @param patienceMs what is left of the patience of the call
   */
  constructor(
    { failureClass, reason, message, endpoint, reasons }: NodeError,
    readonly isWhole: boolean,
    readonly patienceMs: number,
  ) {
    super(failureClass, reason, message, endpoint, reasons);
  }
}

/** Most nodes contradict what was given. Who gave it is not asked for a while, so others can be at once. */
export class Outvoted extends NodeError {
  constructor(message: string, endpoint: string) {
    super('wait', 'wrong', message, endpoint);
  }
}

/** The value of a call, or what `instead` makes of its NodeError. @throws what else the call throws */
export async function unlessFailed<T, U>(call: Promise<T>, instead: (error: NodeError) => U): Promise<T | U> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof NodeError) return instead(error);
    throw error;
  }
}

/** The same where no endpoint answers the call for one of these reasons. */
export const unlessRefused = <T, U>(call: Promise<T>, reasons: readonly string[], instead: U) =>
  unless(call, ({ reason }) => reasons.includes(reason), instead);

/** The same where every endpoint refuses this call, and answers similar ones. */
export const unlessCallRefused = <T, U>(call: Promise<T>, instead: U) =>
  unless(call, ({ failureClass }) => failureClass === 'refused', instead);

/** The same where `isRefused` takes the failure for a refusal. */
export const unless = <T, U>(call: Promise<T>, isRefused: (error: NodeError) => boolean, instead: U) =>
  unlessFailed(call, (error) => {
    if (isRefused(error)) return instead;
    throw error;
  });

/**
 * What nodes gave contradicts what is proved, or what others say: it is asked for again, after a pause.
 *
 * @param text for people
 * @param endpoint the printable name of the one that gave it; null where that is not known
 */
export const contradiction = (text: string, endpoint: string | null = null): NodeError =>
  new NodeError('wait', 'wrong', text, endpoint);
