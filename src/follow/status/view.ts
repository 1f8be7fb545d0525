import type { Logger } from 'pino';
import type { Network } from '../../avalanche/networks.js';
import type { FollowState } from '../../generated/prisma/client.js';
import type { Storage } from '../../storage/storage.js';
import type { PipelineName } from '../pipeline.js';
import type { Watermark } from '../watermark.js';

export type ViewState = FollowState | 'standby';

/** How a pipeline is doing in this process: what its row, the log and a terminal show. */
export class PipelineView {
  state: ViewState = 'standby';
  /** For people: why it waits or has stopped. */
  note: string | null = null;
  /** The endpoints because of which it waits, or from which a chain that has stopped was read. */
  blamed: readonly string[] = [];
  /** Null while this process has not begun it, because another one works. */
  next: bigint | null = null;
  first = 0n;
  head: bigint | null = null;
  /** When everything up to the head was stored, last. */
  private currentAt: Date | null = null;
  private savedAt = -Infinity;

  constructor(
    readonly name: PipelineName,
    private readonly network: Network,
    private readonly storage: Pick<Storage, 'prisma'>,
    private readonly log: Logger,
  ) {}

  /** Milliseconds since the row was written. */
  get age(): number {
    return performance.now() - this.savedAt;
  }

  show(state: ViewState, note: string | null, blamed: readonly string[] = []): void {
    this.state = state;
    this.blamed = blamed;
    this.note = note;
  }

  /** Takes over how far the pipeline is. @param isSaved whether its row says so already */
  setPosition({ first, next }: Watermark, head: bigint, isSaved = false): void {
    Object.assign(this, { first, next, head });
    if (next === head + 1n) this.currentAt = new Date();
    if (isSaved) this.savedAt = performance.now();
  }

  /** Writes the row as far as no batch does, if the database can be reached: nothing depends on it. */
  async save(): Promise<void> {
    const { network, name, state, note, head, currentAt } = this;
    if (state === 'standby') return;
    this.savedAt = performance.now();
    const data = { state, note, head, ...(currentAt && { currentAt }) };
    await this.storage.prisma.followPipeline
      .updateMany({ where: { network, name }, data })
      .catch((error: unknown) =>
        this.log.debug({ err: error }, 'the state of a pipeline could not be stored'),
      );
  }
}
