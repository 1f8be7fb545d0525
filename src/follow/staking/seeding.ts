import type { Logger } from 'pino';
import { NodeError } from '../node/error.js';
import type { Memo } from '../pipeline.js';
import { NoSeed, seedState, type SeedDeps } from './seed.js';
import type { StoredState } from './state.js';

/** Milliseconds between two tries: a node may accept a block meanwhile. */
const EVERY_MS = 5000;
/** The same where no node gave all of it: another one may. */
const REFUSED_MS = 600_000;

/** Tries now and then to take the state of stakers from a node, until its height stood still meanwhile. */
export class Seeding {
  private due = -Infinity;
  private isRefused = false;

  constructor(private readonly log: Logger) {}

  /**
   * @param height of the newest block that is stored
   * @returns null when it is not time to, or could not be taken
   * @throws the signal's reason
   */
  async take(height: bigint, deps: SeedDeps): Promise<StoredState | null> {
    if (height < 0n || performance.now() < this.due) return null;
    const at = { pipeline: 'p', height: height.toString() };
    try {
      const state = await seedState(height, deps);
      if (state)
        this.log.info(
          at,
          `p: the state of ${state.stakers.length} stakers and ${state.l1Validators.length} L1 validators after block ${height} was taken from the node`,
        );
      return state;
    } catch (error) {
      this.refuse(error);
      return null;
    } finally {
      this.due = performance.now() + (this.isRefused ? REFUSED_MS : EVERY_MS);
    }
  }

  private refuse(error: unknown): void {
    if (error instanceof NoSeed) {
      const text = `p: estimated rewards and subnet metrics are not written: ${error.message}`;
      if (!this.isRefused) this.log.warn({ pipeline: 'p' }, text);
      this.isRefused = true;
    } else if (error instanceof NodeError)
      this.log.debug({ err: error }, 'the state of stakers could not be taken from a node');
    else throw error;
  }
}

/** The last day without subnet metrics, as the pipeline's row keeps it; null for none. */
export const seededDayOf = (memo: Memo | null): number | null =>
  typeof memo?.['seededDay'] === 'number' ? memo['seededDay'] : null;

export const memoOf = (seededDay: number | null): Memo | null => (seededDay === null ? null : { seededDay });
