import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { inTime } from '../failure.js';
import type { FollowReader, PipelineStatus } from '../follow/status.js';
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
 * How far the followed chains are: `follow`, down when one has stopped or its data are older than FOLLOW_LAG_SECONDS. Nothing
 * where no chain is followed, or before the first reading.
 */
export function followIndicator(
  { pipelines, describe }: FollowReader,
  { FOLLOW_LAG_SECONDS = Infinity }: Pick<Config, 'FOLLOW_LAG_SECONDS'>,
  log: Logger,
): () => Promise<{ follow?: Indicator }> {
  let known: readonly PipelineStatus[] = [];
  return atMostEvery(LOOK_EVERY_MS, async () => {
    try {
      known = await inTime(pipelines(), PATIENCE_MS);
    } catch (error) {
      log.debug({ err: error }, 'how far chains are followed could not be read');
    }
    if (known.length === 0) return {};
    const isLate = ({ state, lagSeconds }: PipelineStatus) =>
      state === 'stopped' || (lagSeconds ?? Infinity) > FOLLOW_LAG_SECONDS;
    return {
      follow: { status: known.some(isLate) ? 'down' : 'up', message: known.map(describe).join('; ') },
    };
  });
}
