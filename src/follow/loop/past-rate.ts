import type { Logger } from 'pino';
import { pipelineTable } from '../../state/following.js';
import type { Database } from '../../storage/prisma.js';
import type { Connection } from '../../storage/session.js';
import { pastInWords, pastOf } from '../status/past-status.js';
import { Rate } from '../status/rate.js';
import type { Watermark } from '../watermark.js';

/** Milliseconds between two measurements, and between two lines of the log. */
const EVERY_MS = 5000;
const LINE_MS = 30_000;

/** How fast the past of a pipeline is read, by all processes together, as its row and the log say it. */
export class PastRate {
  private readonly rate = new Rate();
  private at = -Infinity;
  private saidAt = performance.now();

  constructor(
    private readonly prisma: Pick<Database, 'followPipeline' | 'followRange'>,
    private readonly log: Logger,
  ) {}

  /** Measures it now and then. Call it while something is left. */
  async measure(session: Connection, { network, name }: Watermark): Promise<void> {
    const now = performance.now();
    if (now - this.at < EVERY_MS) return;
    this.at = now;
    const row = await this.prisma.followPipeline.findUnique({ where: { network_name: { network, name } } });
    const past = row && pastOf(row, await this.prisma.followRange.findMany({ where: { network, name } }));
    if (!past) return;
    this.rate.note(-past.left, now);
    const { perSecond } = this.rate;
    if (now - this.saidAt >= LINE_MS) {
      this.saidAt = now;
      this.log.info({ pipeline: name }, `${name}: ${pastInWords({ ...past, perSecond })}`);
    }
    if (perSecond <= 0) return;
    await session.query(
      `UPDATE ${pipelineTable.name} SET past_blocks_per_hour = $3 WHERE network = $1::network AND name = $2`,
      [network, name, Math.round(perSecond * 3600)],
    );
  }
}
