import type { Network } from '../../avalanche/networks.js';
import type { Database } from '../../storage/prisma.js';
import type { Session } from '../../storage/session.js';
import type { PipelineName } from '../pipeline.js';
import { giveLock, takeLock } from './lock.js';
import { inOrderOf, openRanges } from './range-plan.js';
import { beginRange, readRange, type PastState, type Range } from './ranges.js';

/** Which of the ranges that are read at once one reader reads. */
export interface Lane {
  /** From 0 on. */
  readonly lane: number;
  /** How many there are, in all processes. */
  readonly lanes: number;
}

interface LaneOf extends Lane {
  readonly network: Network;
  readonly name: PipelineName;
}

const workOf = ({ network, name }: Pick<Range, 'network' | 'name'>, first: bigint) => ({
  network,
  name,
  part: `range ${first}`,
});

/**
 * Takes the first range that no other reader has, for as long as the session's connection lives or until it
 * is given back. Begins it where nobody has.
 *
 * @returns null where there is none
 */
export async function claimRange(
  session: Session,
  prisma: Pick<Database, 'followRange'>,
  of: LaneOf,
  { missing, ranges }: Pick<PastState, 'missing' | 'ranges'>,
): Promise<Range | null> {
  const { network, name, lane, lanes } = of;
  for (const { first, end, isBegun } of inOrderOf(lane, openRanges(missing, ranges, lanes))) {
    const work = workOf(of, first);
    if (!(await takeLock(session, work))) continue;
    if (!isBegun) await beginRange(session, { network, name, first, end });
    // Whoever had it may have moved it meanwhile.
    const range = await readRange(prisma, { network, name, first });
    if (range && range.next < range.end) return range;
    await giveLock(session, work);
  }
  return null;
}

/** Gives a range back. */
export const giveRange = (session: Session, range: Range): Promise<void> =>
  giveLock(session, workOf(range, range.first));
