import type { CallOptions } from './node/apis.js';
import type { EvmNodes } from './node/nodes.js';
import type { Block, Digest, DigestContext, Pipeline, PipelineName } from './pipeline.js';

/** A pipeline whose blocks come from a client of nodes. */
export abstract class NodePipeline<
  B extends Block,
  P extends { readonly nodes: EvmNodes },
> implements Pipeline<B> {
  abstract readonly name: PipelineName;
  /** The chain, or the index, whose newest height is the head. */
  protected abstract readonly source: { height(options: CallOptions): Promise<bigint> };

  constructor(protected readonly deps: P) {}

  abstract fetch(from: bigint, count: number, signal: AbortSignal): Promise<B[]>;
  abstract digest(items: readonly B[], context: DigestContext): Promise<Digest>;

  head(signal: AbortSignal): Promise<bigint> {
    return this.source.height({ signal });
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
