import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { inTime } from '../failure.js';
import type { FollowReader, PipelineStatus } from '../follow/status/status.js';
import type { Archived } from '../follow/status/archived.js';
import type { LeftOut } from '../follow/status/left-out.js';
import type { Waiting } from '../follow/status/waiting.js';
import { atMostEvery } from './metrics/look.js';

/** After this many milliseconds the last figures are used. */
const PATIENCE_MS = 1000;
/** Milliseconds between two readings, which all requests share. */
const LOOK_EVERY_MS = 500;

/** How a part of the service is doing. */
export interface Indicator {
  status: 'up' | 'down';
  message?: string;
}

/**
 * How far the followed chains are, for which nodes followers wait, what they leave out, and what archives
 * gave: `follow`, down when a chain has stopped, or its data are older than FOLLOW_LAG_SECONDS, or a follower
 * has waited longer than that. Nothing without a follower, or before the first reading.
 */
export function followIndicator(
  { pipelines, waiting, leftOut, archived, describe }: FollowReader,
  { FOLLOW_LAG_SECONDS = Infinity }: Pick<Config, 'FOLLOW_LAG_SECONDS'>,
  log: Logger,
): () => Promise<{ follow?: Indicator }> {
  let known: {
    readonly chains: readonly PipelineStatus[];
    readonly waits: readonly Waiting[];
    readonly others: readonly (LeftOut | Archived)[];
  } = { chains: [], waits: [], others: [] };
  return atMostEvery(LOOK_EVERY_MS, async () => {
    try {
      const reads = Promise.all([pipelines(), waiting(), leftOut(), archived()]);
      const [chains, waits, absent, given] = await inTime(reads, PATIENCE_MS);
      known = { chains, waits, others: [...absent, ...given] };
    } catch (error) {
      log.debug({ err: error }, 'the progress of followed chains could not be read');
    }
    const { chains, waits, others } = known;
    const all = [...chains, ...waits, ...others];
    if (all.length === 0) return {};
    const isLate = ({ state, lagSeconds }: PipelineStatus) =>
      state === 'stopped' || (lagSeconds ?? Infinity) > FOLLOW_LAG_SECONDS;
    const isDown = chains.some(isLate) || waits.some(({ seconds }) => seconds > FOLLOW_LAG_SECONDS);
    return { follow: { status: isDown ? 'down' : 'up', message: all.map(describe).join('; ') } };
  });
}
