import type { Logger } from 'pino';
import { lacksGenesis } from '../status/missing.js';
import type { DigestContext, Memo, PipelineName } from '../pipeline.js';
import type { ChainParts } from './chain.js';
import { changedIn, configChanges } from './config-changes.js';
import type { Timed } from './day-end.js';
import { genesisAccounts } from './genesis-accounts.js';
import { keepsBalances } from './kept.js';

/** A block and the accounts that it touches, 0x and 40 digits in lower case, each once. */
export interface TouchedBlock extends Timed {
  readonly accounts: readonly string[];
}

export interface UnsaidParts extends ChainParts {
  readonly name: PipelineName;
  /** The time of a block, Unix seconds. @throws NodeError */
  readonly timeOf: (height: bigint, signal: AbortSignal) => Promise<number>;
  readonly log: Logger;
}

export interface Unsaid {
  readonly blocks: readonly TouchedBlock[];
  /** The stream's memo after them; undefined: as before. */
  readonly memo?: Memo | null;
}

/** The accounts whose balances blocks change without saying so: those of the genesis, and of the chain's configuration. */
export class UnsaidTouches {
  private last: Timed | null = null;
  private hasLooked = false;
  private hasWarned = false;
  /** Whether nodes have no configuration. */
  private isPlain: boolean;

  constructor(private readonly parts: UnsaidParts) {
    this.isPlain = this.isCChain;
  }

  /** @param blocks consecutive ones @throws NodeError */
  async in(blocks: readonly Timed[], context: DigestContext): Promise<Unsaid> {
    const changed = await this.changed(blocks, context.signal);
    const { blocks: genesis, ...memo } = await this.genesis(blocks[0]!, context);
    this.last = blocks.at(-1)!;
    return { blocks: [...genesis, ...changed], ...memo };
  }

  forget(): void {
    this.last = null;
    this.hasLooked = false;
    this.isPlain = this.isCChain;
  }

  private get isCChain(): boolean {
    return this.parts.chain.headerOf === 'c-chain';
  }

  private async changed(blocks: readonly Timed[], signal: AbortSignal): Promise<TouchedBlock[]> {
    if (this.isPlain) return [];
    const changes = await configChanges(this.parts.nodes, signal);
    this.isPlain = changes === null;
    const [first] = blocks as readonly [Timed];
    const { last } = this;
    const timeBefore = () =>
      last?.height === first.height - 1n
        ? Promise.resolve(last.time)
        : this.parts.timeOf(first.height - 1n, signal);
    const found = await changedIn(blocks, changes ?? [], timeBefore);
    return [...found].map(([place, accounts]) => ({ ...blocks[place]!, accounts }));
  }

  private async genesis(first: Timed, { memo, reader, signal }: DigestContext): Promise<Unsaid> {
    const { parts } = this;
    const isFirst = first.height === 0n;
    // Where it was not known, each start looks again: the transaction that made the chain may be stored by now.
    if (!isFirst && (this.hasLooked || !lacksGenesis(memo))) return { blocks: [] };
    this.hasLooked = true;
    const { accounts, isWhole } = await genesisAccounts(parts, reader, signal);
    if (isFirst) {
      if (!isWhole) this.warn();
      const block = { height: 0n, time: first.time, accounts };
      return { blocks: [block], ...(!isWhole && { memo: { ...memo, lacksGenesis: true } }) };
    }
    if (!isWhole || !(await keepsBalances(parts.nodes, 0n, { signal }))) {
      this.warn();
      return { blocks: [] };
    }
    return { blocks: [{ height: 0n, time: await parts.timeOf(0n, signal), accounts }], memo: null };
  }

  /** Once: a batch that failed is digested again. */
  private warn(): void {
    if (this.hasWarned) return;
    this.hasWarned = true;
    const { name, log } = this.parts;
    log.warn(
      { pipeline: name },
      `${name}: to which accounts the genesis gives coins is not known for certain: those that nothing happens to have no balance. ` +
        'Each start looks again for the transaction that made the chain, and needs a node that keeps the state of the past',
    );
  }
}
