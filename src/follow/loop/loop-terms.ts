import type { Logger } from 'pino';
import type { Start } from '../../config/follow-settings.js';
import type { Network } from '../../avalanche/networks.js';
import type { Storage } from '../../storage/storage.js';
import type { Pauses } from '../pauses.js';
import type { Milestones } from './milestones.js';

/** What the loop of a pipeline is given. */
export interface LoopTerms {
  readonly storage: Storage;
  readonly network: Network;
  /** The height to begin at, if it is not begun yet: `now` is the next block, a time the same, and the past is read down to it; null: where the pipeline begins by itself. */
  readonly from: Start | null;
  /** Begins again where it was begun, and writes its rows over. */
  readonly again: boolean;
  /** Ends when the head that was found at the start is stored. */
  readonly once: boolean;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly milestones: Milestones;
  /** Those of gaps.ts when absent. */
  readonly gapPauses?: Pauses;
}
