import type { Start, StreamName } from '../../config/follow-settings.js';
import { startOf, type Beginnings } from '../follow.js';
import type { PipelineName } from '../pipeline.js';
import { missingBefore } from '../status/missing.js';

/** The streams that the operator named, and where they are to begin. */
export interface ChosenStreams {
  /** None: all that the node has. */
  readonly only: readonly StreamName[];
  readonly from: Beginnings;
  /** Contracts of tokens whose balances are followed. */
  readonly tokens: readonly string[];
  /** Whether the genesis file is given. */
  readonly hasGenesis: boolean;
}

export const allStreams: ChosenStreams = { only: [], from: {}, tokens: [], hasGenesis: false };

/** From where on something is filled. */
export interface Filled {
  /** `from genesis`, `from block 123`, `not filled`, … */
  readonly filled: string;
  /** What the operator would change so that more is filled; null for nothing. */
  readonly hint: string | null;
}

/** How far nodes have a chain. */
interface KnownBlocks {
  readonly head: bigint;
  /** Whether they have what belongs to a block that exists. */
  readonly has: (height: bigint) => Promise<boolean>;
}

/**
 * What is filled where the operator says where a stream begins, which `follow` does; null where nothing is
 * said.
 *
 * @throws what `has` throws
 */
export async function filledAsSaid(
  name: PipelineName,
  { from }: ChosenStreams,
  { head, has }: KnownBlocks,
): Promise<Filled | null> {
  const start: Start | null = startOf(from, name);
  if (start === null) return null;
  const next = `from block ${head + 1n}, the next one`;
  if (start === 'now') return { filled: next, hint: missingBefore(name, start, false) };
  if (typeof start === 'object') {
    const day = new Date(start.since * 1000).toISOString().slice(0, 10);
    const hint = 'the past is read backward, the newest blocks first, as far as a node has it';
    return { filled: `${next}, and then of the past down to ${day}`, hint };
  }
  const hint = missingBefore(name, start, false);
  if (start <= head && !(await has(start)))
    return { filled: `it waits for block ${start}, which this node does not have`, hint };
  return { filled: start === 0n ? 'from genesis' : `from block ${start}`, hint };
}
