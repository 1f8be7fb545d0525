import { DAY_SECONDS } from '../../avalanche/seconds.js';
import type { FollowStaking } from '../../generated/prisma/client.js';
import { MOST_COUNTED_GAPS } from '../../state/following.js';
import { archivesInWords } from '../archive/counts.js';
import type { Archived } from './archived.js';
import type { LeftOut } from './left-out.js';
import { pastInWords } from './past-status.js';
import type { PipelineStatus } from './status.js';
import type { Waiting } from './waiting.js';

/** How far a pipeline is, for whom a follower waits, or what it leaves out. */
export function statusInWords(status: PipelineStatus | Waiting | LeftOut | Archived): string {
  if ('archives' in status) return `${status.network}: ${archivesInWords(status.archives)}`;
  if ('nodes' in status) return waitingInWords(status);
  return 'first' in status ? pipelineInWords(status) : leftOutInWords(status);
}

const leftOutInWords = ({ network, name, note }: LeftOut) => `${network} ${name}: ${note}`;

const waitingInWords = ({ nodes, note, seconds }: Waiting) =>
  `a follower has waited for ${nodes} for ${ageOf(seconds)}: ${note}`;

function pipelineInWords(status: PipelineStatus): string {
  const { network, name, next, behind, lagSeconds, state, note, trouble } = status;
  const { gaps, missing, refusedRows, past } = status;
  const position =
    behind === null
      ? 'has not begun'
      : behind === 0n
        ? // What has stopped does not look for new blocks.
          state === 'stopped'
          ? `at block ${(next - 1n).toLocaleString('en')}`
          : 'up to date'
        : `${behind.toLocaleString('en')} blocks behind`;
  const age =
    (behind === 0n && state === 'following') || lagSeconds === null ? '' : `, data ${ageOf(lagSeconds)} old`;
  const why = state === 'following' ? '' : `, ${state === 'idle' ? 'not followed now' : state}`;
  const said = note === null ? '' : `: ${note}`;
  const differs = trouble === null ? '' : ` (${trouble})`;
  const missingNow = gaps === null ? '' : ` (${gapsInWords(gaps)})`;
  const refused =
    refusedRows === 0
      ? ''
      : ` (${refusedRows.toLocaleString('en')} rows were refused, and are stored in part or not at all: see the log)`;
  const begun = missing === null ? '' : ` (${missing})`;
  const before = past === null ? '' : ` (${pastInWords(past)})`;
  return `${network} ${name}: ${position}${age}${why}${said}${differs}${missingNow}${refused}${begun}${before}`;
}

/** What is known against the state of stakers, the worst alone; null for nothing. */
export function troubleInWords(state: FollowStaking): string | null {
  const { difference, differentSince, doubt, doubtedSince, doubtedRewards, withheldSince } = state;
  const at = (height: bigint | null) => `since block ${(height ?? 0n).toLocaleString('en')}`;
  if (difference !== null)
    return `estimated rewards and subnet metrics are not written ${at(differentSince)}: ${difference}`;
  if (withheldSince !== null)
    return `rewards and subnet metrics ${at(withheldSince)} may be missing or wrong, because the state of stakers differed: moraine follow ADDRESS --again p writes them`;
  if (doubt === null) return null;
  const until =
    (doubtedRewards as string[]).length > 0
      ? 'most nodes say what Moraine computes'
      : "the state is compared with a node's at the newest block";
  return `rewards are in doubt ${at(doubtedSince)}, until ${until}: ${doubt}`;
}

const gapsInWords = ({ blocks, first }: NonNullable<PipelineStatus['gaps']>) =>
  blocks === 1
    ? `block ${first.toLocaleString('en')} has a gap, which is asked for again`
    : `${blocks < MOST_COUNTED_GAPS ? '' : 'at least '}${blocks.toLocaleString('en')} blocks have gaps, the first is ${first.toLocaleString('en')}; they are asked for again`;

function ageOf(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return seconds < 2 * DAY_SECONDS
    ? `${Math.round(seconds / 3600)} h`
    : `${Math.round(seconds / DAY_SECONDS)} days`;
}
