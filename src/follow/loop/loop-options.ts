import type { Logger } from 'pino';
import type { Start } from '../../config/follow-settings.js';
import type { Network } from '../../avalanche/networks.js';
import type { Storage } from '../../storage/storage.js';
import type { Pauses } from '../pauses.js';
import type { Milestones } from './milestones.js';
import type { RangeShare } from './range-lanes.js';

/** The options of the loop of a pipeline. */
export interface LoopOptions {
  readonly storage: Storage;
  readonly network: Network;
  /**
   * Where to start, if it has not started yet. `now`: the next block. A time: the next block, then backward
   * to that time. Null: where the pipeline starts by default.
   */
  readonly from: Start | null;
  /** Starts again at its first block, and overwrites its rows. */
  readonly again: boolean;
  /** Ends when the head that was found at the start is stored. */
  readonly once: boolean;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly milestones: Milestones;
  /** What this process reads of the past; one range at a time when absent. */
  readonly ranges?: RangeShare;
  /** Those of gaps.ts when absent. */
  readonly gapPauses?: Pauses;
}
