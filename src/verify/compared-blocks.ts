import type { PipelineName } from '../follow/pipeline.js';
import { noDifference, notCompared, type Outcome } from './finding.js';

/** How many blocks of each chain were compared. A range may need outputs of all blocks before it. */
export class ComparedBlocks {
  private readonly counts = new Map<PipelineName, { blocks: bigint; why: string | undefined }>();

  /** @param by what they were compared with, for people */
  constructor(private readonly by: string) {}

  note(name: PipelineName, blocks: bigint, why: string | undefined): void {
    const known = this.counts.get(name) ?? { blocks: 0n, why: undefined };
    this.counts.set(name, {
      blocks: known.blocks + (why === undefined ? blocks : 0n),
      why: known.why ?? why,
    });
  }

  outcomes(): Outcome[] {
    return [...this.counts].map(([chain, { blocks, why }]) => {
      const name = `blocks of ${chain}`;
      if (blocks === 0n && why !== undefined) return notCompared(name, this.by, why);
      return noDifference(name, this.by, Number(blocks));
    });
  }
}
