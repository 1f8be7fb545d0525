import { DAY_SECONDS } from '../../avalanche/seconds.js';
import { MOST_COUNTED_GAPS } from '../../state/following.js';
import type { LeftOut } from './left-out.js';
import type { PipelineStatus } from './status.js';
import type { Waiting } from './waiting.js';

/** How far a pipeline is, for whom a follower waits, or what it leaves out. */
export function statusInWords(status: PipelineStatus | Waiting | LeftOut): string {
  if ('nodes' in status) return waitingInWords(status);
  return 'first' in status ? pipelineInWords(status) : leftOutInWords(status);
}

const leftOutInWords = ({ network, name, note }: LeftOut) => `${network} ${name}: ${note}`;

const waitingInWords = ({ nodes, note, seconds }: Waiting) =>
  `a follower has waited for ${nodes} for ${ageOf(seconds)}: ${note}`;

function pipelineInWords(status: PipelineStatus): string {
  const { network, name, behind, lagSeconds, state, note, difference, gaps, missing, refusedRows } = status;
  const position =
    behind === null
      ? 'has not begun'
      : behind === 0n
        ? 'up to date'
        : `${behind.toLocaleString('en')} blocks behind`;
  const age =
    (behind === 0n && state === 'following') || lagSeconds === null ? '' : `, data ${ageOf(lagSeconds)} old`;
  const why = state === 'following' ? '' : `, ${state === 'idle' ? 'not followed now' : state}`;
  const said = note === null ? '' : `: ${note}`;
  const differs =
    difference === null
      ? ''
      : ` (estimated rewards and subnet metrics are not written since block ${difference.since.toLocaleString('en')}: ${difference.text})`;
  const missingNow = gaps === null ? '' : ` (${gapsInWords(gaps)})`;
  const refused =
    refusedRows === 0
      ? ''
      : ` (${refusedRows.toLocaleString('en')} rows were refused, and are stored in part or not at all: see the log)`;
  const begun = missing === null ? '' : ` (${missing})`;
  return `${network} ${name}: ${position}${age}${why}${said}${differs}${missingNow}${refused}${begun}`;
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
