import type { Logger } from 'pino';
import type { Network } from '../../avalanche/networks.js';
import { WAITER_GONE_MS } from '../../state/following.js';
import type { Database } from '../../storage/prisma.js';
import { noteLeftOut } from './left-out.js';
import type { PipelineName } from '../pipeline.js';

/** A follower that waits for a node which it has not met since its start. */
export interface Waiting {
  /** Printable addresses, separated by commas. */
  readonly nodes: string;
  /** What came of asking, last. */
  readonly note: string;
  /** Seconds since it was asked first. */
  readonly seconds: number;
}

type Table = Pick<Database, 'followWaiting'>;
type Tables = Table & Pick<Database, 'followLeftOut'>;

/** Writes for which nodes a follower waits, and what it leaves out, where gateways read it. */
export class WaitingNotes {
  /** What is written of this process. */
  private readonly shown = new Set<string>();

  constructor(
    private readonly prisma: Tables,
    private readonly log: Logger,
  ) {}

  /**
   * These nodes gave no usable answer.
   *
   * @param nodes printable addresses
   * @param network null while it is not known
   * @param isL1 whether they are those of a chain other than the primary network's
   */
  async show(nodes: string, note: string, network: Network | null, isL1 = false): Promise<void> {
    this.shown.add(nodes);
    await this.write(async ({ followWaiting }) => {
      const before = await followWaiting.findUnique({ where: { nodes } });
      const now = new Date();
      const isKnown = before !== null && now.getTime() - before.seenAt.getTime() < WAITER_GONE_MS;
      const data = { note, network, isL1, since: isKnown ? before.since : now, seenAt: now };
      await followWaiting.upsert({ where: { nodes }, create: { nodes, ...data }, update: data });
    });
  }

  /** These nodes were met. */
  async met(nodes: string): Promise<void> {
    this.shown.delete(nodes);
    // A process before this one may have waited for them.
    await this.write(({ followWaiting }) => followWaiting.deleteMany({ where: { nodes } }));
  }

  /** As noteLeftOut. */
  async noteLeftOut(
    network: Network,
    names: readonly PipelineName[],
    notes: ReadonlyMap<PipelineName, string>,
  ): Promise<void> {
    await this.write((prisma) => noteLeftOut(prisma, network, names, notes));
  }

  /** No follower waits any longer. */
  async clear(): Promise<void> {
    for (const nodes of [...this.shown]) await this.met(nodes);
  }

  /** If the database can be reached: nothing depends on it. */
  private async write(work: (prisma: Tables) => Promise<unknown>): Promise<void> {
    try {
      await work(this.prisma);
    } catch (error) {
      this.log.debug(
        { err: error },
        'the nodes that are waited for, or the streams that are left out, could not be stored',
      );
    }
  }
}

/** The followers that wait. @param now milliseconds since 1970 */
export async function readWaiting({ followWaiting }: Table, now: number): Promise<Waiting[]> {
  const rows = await followWaiting.findMany({ orderBy: { nodes: 'asc' } });
  return rows
    .filter(({ seenAt }) => now - seenAt.getTime() < WAITER_GONE_MS)
    .map(({ nodes, note, since }) => ({ nodes, note, seconds: Math.max(0, (now - since.getTime()) / 1000) }));
}
