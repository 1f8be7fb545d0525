import type { Logger } from 'pino';
import { isGenesisMissing } from '../status/missing.js';
import type { DigestContext, Memo, PipelineName } from '../pipeline.js';
import type { ChainDeps } from './chain.js';
import { changedIn, configChanges } from './config-changes.js';
import type { Timed } from './day-end.js';
import { genesisAccounts } from './genesis-accounts.js';
import { keepsBalances } from './kept.js';

/** A block and the accounts that it touches, 0x and 40 digits in lower case, each once. */
export interface TouchedBlock extends Timed {
  readonly accounts: readonly string[];
}

export interface SilentTouchesDeps extends ChainDeps {
  readonly name: PipelineName;
  /** The time of a block, Unix seconds. @throws NodeError */
  readonly timeOf: (height: bigint, signal: AbortSignal) => Promise<number>;
  readonly log: Logger;
}

export interface FoundTouches {
  readonly blocks: readonly TouchedBlock[];
  /** The stream's memo after them; undefined: as before. */
  readonly memo?: Memo | null;
}

/**
 * The accounts whose balances blocks change without saying so: those of the genesis, and of the chain's
 * configuration.
 */
export class SilentTouches {
  private last: Timed | null = null;
  private hasLooked = false;
  private hasWarned = false;
  /** Whether nodes have no configuration. */
  private isPlain: boolean;

  constructor(private readonly deps: SilentTouchesDeps) {
    this.isPlain = this.isCChain;
  }

  /** @param blocks consecutive ones @throws NodeError */
  async in(blocks: readonly Timed[], context: DigestContext): Promise<FoundTouches> {
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
    return this.deps.chain.headerOf === 'c-chain';
  }

  private async changed(blocks: readonly Timed[], signal: AbortSignal): Promise<TouchedBlock[]> {
    if (this.isPlain) return [];
    const changes = await configChanges(this.deps.nodes, signal);
    this.isPlain = changes === null;
    const [first] = blocks as readonly [Timed];
    const { last } = this;
    const timeBefore = () =>
      last?.height === first.height - 1n
        ? Promise.resolve(last.time)
        : this.deps.timeOf(first.height - 1n, signal);
    const found = await changedIn(blocks, changes ?? [], timeBefore);
    return [...found].map(([index, accounts]) => ({ ...blocks[index]!, accounts }));
  }

  private async genesis(first: Timed, { memo, reader, signal }: DigestContext): Promise<FoundTouches> {
    const { deps } = this;
    const isFirst = first.height === 0n;
    // Where it was not known, each start looks again: the transaction that made the chain may be stored by
    // now.
    if (!isFirst && (this.hasLooked || !isGenesisMissing(memo))) return { blocks: [] };
    this.hasLooked = true;
    const { accounts, isWhole } = await genesisAccounts(deps, reader, signal);
    if (isFirst) {
      if (!isWhole) this.warn();
      const block = { height: 0n, time: first.time, accounts };
      return { blocks: [block], ...(!isWhole && { memo: { ...memo, lacksGenesis: true } }) };
    }
    if (!isWhole || !(await keepsBalances(deps.nodes, 0n, { signal }))) {
      this.warn();
      return { blocks: [] };
    }
    return { blocks: [{ height: 0n, time: await deps.timeOf(0n, signal), accounts }], memo: null };
  }

  /** Once: a batch that failed is digested again. */
  private warn(): void {
    if (this.hasWarned) return;
    this.hasWarned = true;
    const { name, log } = this.deps;
    log.warn(
      { pipeline: name },
      `${name}: the genesis accounts are not all known; accounts without activity have no balance. ` +
        'Each start looks again for the transaction that created the chain; a node that keeps earlier states is needed then',
    );
  }
}
