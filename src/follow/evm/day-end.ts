import type { EvmHeader } from '../node/evm-apis.js';
import type { Nodes } from '../node/nodes.js';
import { faultOf } from '../primary/proof.js';
import { DAY_SECONDS } from '../staking/subnet-fees.js';
import { firstSince } from './block-times.js';
import { headOf, identityFault, type ProvedHead } from './proved-head.js';

/** A block and its time, Unix seconds. */
export type Timed = Pick<ProvedHead, 'height' | 'time'>;

/** The day of a time in Unix seconds, counted from 1970 (UTC). */
export const dayOf = (time: number) => Math.floor(time / DAY_SECONDS);

/** Finds the last blocks of days (UTC). */
export class DayEnds {
  /** The last one that was found of a day that is over. */
  private known: { readonly day: number; readonly height: bigint } | null = null;

  constructor(private readonly nodes: Pick<Nodes, 'evm'>) {}

  /**
   * The height of the last block of a block's day; the head while the day is not over.
   *
   * @param block one of the day
   * @param head the newest height
   * @throws NodeError
   */
  async after({ height, time }: Timed, head: bigint, signal: AbortSignal): Promise<bigint> {
    const day = dayOf(time);
    if (this.known?.day === day) return this.known.height;
    if (height >= head) return height;
    if (dayOf(await this.timeOf(head, signal)) === day) return head;
    const timeOf = (each: bigint) => this.timeOf(each, signal);
    const within = (await firstSince(timeOf, (day + 1) * DAY_SECONDS, height + 1n, head)) - 1n;
    this.known = { day, height: within };
    return within;
  }

  forget(): void {
    this.known = null;
  }

  private async timeOf(height: bigint, signal: AbortSignal): Promise<number> {
    const prove = (header: EvmHeader) =>
      faultOf(`block ${height}`, () => identityFault({ header }, height, headOf({ header }, 'c-chain')));
    const [answer] = await this.nodes.evm.headers(height, 1, { signal, prove });
    return headOf({ header: answer!.value }, 'c-chain').time;
  }
}
