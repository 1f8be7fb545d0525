import type { Answer, EachOptions, HeadOptions } from './node/apis.js';
import { contradiction } from './node/error.js';
import { Majority } from './node/majority.js';
import type { EvmNodes } from './node/nodes.js';
import type { Block, Digest, DigestContext, Pipeline, PipelineName } from './pipeline.js';

/** A pipeline whose blocks come from a client of nodes. */
export abstract class NodePipeline<
  B extends Block,
  P extends { readonly nodes: EvmNodes },
> implements Pipeline<B> {
  abstract readonly name: PipelineName;
  /** The chain, or the index, whose newest height is the head. */
  protected abstract readonly source: { height(options: HeadOptions): Promise<bigint> };
  /** Whether an answer says of its block nothing but its bytes, so that a wrong digit makes another block. */
  protected readonly isBytesAlone: boolean = false;
  private readonly majority: Majority;

  constructor(protected readonly deps: P) {
    this.majority = new Majority(deps.nodes);
  }

  abstract fetch(from: bigint, count: number, signal: AbortSignal): Promise<B[]>;
  abstract digest(items: readonly B[], context: DigestContext): Promise<Digest>;
  /** The ids, computed, of the blocks that endpoints have at a height; none of what is no chain of blocks. */
  protected abstract idsAt(height: bigint, options: EachOptions): Promise<readonly Answer<string>[]>;

  head(signal: AbortSignal, settled = false): Promise<bigint> {
    return this.source.height({ signal, settled });
  }

  async compare(block: Block, signal: AbortSignal): Promise<void> {
    const { height, id, source } = block;
    if (!this.majority.isComparable(source, this.deps.nodes.endpoints())) return this.repeat(block, signal);
    const others = await this.idsAt(height, { signal, except: source });
    const said = others.map(({ value, endpoint }) => ({ value: [value], endpoint }));
    const difference = ({ endpoint, value: [other] }: Answer<readonly string[]>) =>
      `${endpoint} has another block ${height} of ${this.name} (${other}) than ${source} (${id})`;
    if (this.majority.decideArchive(source, [id], said, difference)) return;
    this.majority.decide([String(height)], [id], [{ value: [id], endpoint: source }, ...said], difference);
  }

  /** An only node says its newest block twice, where nothing else shows that one answer was spoilt. */
  private async repeat({ height, id, source }: Block, signal: AbortSignal): Promise<void> {
    if (!this.isBytesAlone) return;
    const [again = { value: id }] = await this.idsAt(height, { signal });
    if (again.value === id) return;
    const text = `${source} gave two blocks ${height} of ${this.name}, ${id} and ${again.value}`;
    throw contradiction(text, source);
  }

  /**
   * What is remembered of outputs and assets follows from ids, and stays true: a pipeline that remembers more
   * drops it here.
   */
  forget(): void {}

  sources(): readonly string[] {
    return this.deps.nodes.endpoints().map(({ name }) => name);
  }

  setAside(source: string, reason: string): boolean {
    return this.deps.nodes.setAside(source, reason);
  }
}
