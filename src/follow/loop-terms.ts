import type { Logger } from 'pino';
import type { Network } from '../avalanche/networks.js';
import type { Storage } from '../storage/storage.js';
import type { GapPauses } from './gaps.js';
import type { Milestones } from './milestones.js';

/** What the loop of a pipeline is given. */
export interface LoopTerms {
  readonly storage: Storage;
  readonly network: Network;
  /** The height to begin at, if it is not begun yet: `now` is the next block; null: where the pipeline begins by itself. */
  readonly from: bigint | 'now' | null;
  /** Begins again where it was begun, and writes its rows over. */
  readonly again: boolean;
  /** Ends when the head that was found at the start is stored. */
  readonly once: boolean;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly milestones: Milestones;
  /** Those of gaps.ts when absent. */
  readonly gapPauses?: GapPauses;
}
