import type { Block, Pipeline } from '../follow/pipeline.js';

/** The blocks of [first, next). */
export interface Bounds {
  readonly first: bigint;
  readonly next: bigint;
}

/** A pipeline that has these blocks alone. One without any asks no node: none may have its chain. */
export function bounded<B extends Block>(pipeline: Pipeline<B>, { first, next }: Bounds): Pipeline<B> {
  return {
    name: pipeline.name,
    ...(pipeline.stride !== undefined && { stride: pipeline.stride }),
    head: async (signal) => {
      const head = first === next ? next : await pipeline.head(signal);
      return head < next ? head : next - 1n;
    },
    ...(pipeline.only && {
      only: (block: B, transactions: readonly string[]) => pipeline.only!(block, transactions),
    }),
    fetch: (from, count, signal) => pipeline.fetch(from, count, signal),
    digest: (blocks, context) => pipeline.digest(blocks, context),
    forget: () => pipeline.forget(),
    setAside: (source, reason) => pipeline.setAside(source, reason),
  };
}
