import type { Logger } from 'pino';
import type { EvmNodes } from '../node/nodes.js';
import type { DigestContext, KindRows, PipelineName } from '../pipeline.js';
import { balanceRows, unionOf, unionOfIds } from './balance-rows.js';
import type { EvmChain } from './chain.js';
import { DayEnds } from './day-end.js';
import type { NodeAgreement } from './node-agreement.js';
import { SilentContracts } from './silent-contracts.js';
import type { TouchedBlock } from './silent-touches.js';
import type { IdBalance } from './token-ids.js';
import type { TouchedId, TouchedOwner } from './touched.js';

/** A block that was read, or one whose changes nothing in it shows (SilentTouches). */
export interface Touching extends TouchedBlock {
  readonly owners?: readonly TouchedOwner[];
  readonly ids?: readonly TouchedId[];
}

/** The balances, as nodes give them, of the accounts that the blocks of a day touch. */
interface DayRows {
  readonly rows: readonly KindRows[];
  readonly ids: readonly IdBalance[];
}

export interface DayBalancesDeps {
  readonly nodes: EvmNodes;
  readonly chain: Pick<EvmChain, 'evmChainId'>;
  readonly name: PipelineName;
  readonly agreement: NodeAgreement;
  /** Whether the newest blocks are read by another pipeline of this chain. */
  readonly isPast: boolean;
  /** The time of a block, Unix seconds. @throws NodeError */
  readonly timeOf: (height: bigint, signal: AbortSignal) => Promise<number>;
  readonly log: Logger;
}

/** Asks nodes for balances at the ends of days. */
export class DayBalances {
  private readonly dayEnds: DayEnds;
  private readonly silentContracts: SilentContracts;

  constructor(private readonly deps: DayBalancesDeps) {
    this.dayEnds = new DayEnds(deps.timeOf);
    this.silentContracts = new SilentContracts(deps.name, deps.log);
  }

  /**
   * @param day counted from 1970 (UTC)
   * @param blocks those of the day, in order
   * @throws NodeError
   */
  async of(day: number, blocks: readonly Touching[], { head, signal }: DigestContext): Promise<DayRows> {
    const { nodes, chain, agreement, isPast } = this.deps;
    const height = await this.dayEnds.after(blocks.at(-1)!, head, signal);
    const accounts = [...new Set(blocks.flatMap((block) => block.accounts))];
    const owners = unionOf(blocks.flatMap((block) => block.owners ?? []));
    const ids = unionOfIds(blocks.flatMap((block) => block.ids ?? []));
    const [balances, counts, held] = await Promise.all([
      nodes.evm.balances(accounts, height, { signal }),
      nodes.evm.tokenBalances(owners, height, { signal }),
      nodes.evm.tokenBalances(ids, height, { signal }),
    ]);
    this.silentContracts.note(owners, counts, height);
    this.silentContracts.note(ids, held, height);
    await agreement.checkBalances({ accounts, balances }, height, signal);
    // While a day is not over, whoever reads the newest blocks may have written what is newer.
    const mayBeOld = isPast && height >= head;
    return {
      rows: balanceRows(chain.evmChainId, day, { accounts, balances, owners, counts }, mayBeOld),
      ids: ids.flatMap((id, index) => {
        const balance = held[index];
        return balance === null || balance === undefined ? [] : [{ ...id, day, balance, mayBeOld }];
      }),
    };
  }

  forget(): void {
    this.dayEnds.forget();
  }
}
