import type { Logger } from 'pino';
import type { Storage } from '../../storage/storage.js';
import { refreshStatistics } from '../../write/statistics.js';
import type { Committed } from './commit.js';
import type { PipelineName } from '../pipeline.js';

/**
 * Rows after which tables are vacuumed and analysed for the first time: early, because the planner takes any
 * index of a table that it thinks empty, and each look-up of a transaction then reads all of its chain.
 */
const FIRST_ROWS = 1000;
/** The next time comes when there are so many times as many rows. */
const GROWTH = 3;
/**
 * When the head is reached it is done too, if at least so many rows were written since the last time, and at
 * least this part of all.
 */
const WORTH_ROWS = 1000;
const WORTH_PART = 0.1;

/**
 * Vacuums and analyses the tables that pipelines fill, while they fill them: before the first autovacuum
 * PostgreSQL knows nothing of their contents, and once a chain is stored lists should be fast at once.
 */
export class Milestones {
  private tables = new Set<string>();
  private total = 0;
  private since = 0;
  private next = FIRST_ROWS;
  private running: Promise<void> | undefined;
  /** The pipelines that have had everything once. */
  private readonly arrived = new Set<PipelineName>();
  /** The pipelines that wrote since this process began. */
  private readonly known = new Set<PipelineName>();

  constructor(
    private readonly storage: Pick<Storage, 'session'>,
    private readonly log: Logger,
  ) {}

  /**
   * Notes what a batch of a pipeline has written, and tells what was refused. @param atHead whether
   * everything is stored with it
   */
  note(name: PipelineName, done: Committed, atHead: boolean): void {
    if (!this.known.has(name)) this.notePast(name, rowsOf(done.watermark) - done.written);
    this.count(name, done);
    const arrives = atHead && !this.arrived.has(name);
    if (arrives) this.arrived.add(name);
    const worth = Math.max(WORTH_ROWS, this.total * WORTH_PART);
    if (this.total >= this.next || (arrives && this.since >= worth)) this.begin();
  }

  /** The same of a range of the past. */
  notePart(name: PipelineName, done: Committed): void {
    this.count(name, done);
    if (this.total >= this.next) this.begin();
  }

  private count(name: PipelineName, { tables, written, refused }: Committed): void {
    for (const text of refused) this.log.error({ pipeline: name }, `${name}: ${text}`);
    for (const table of tables) this.tables.add(table);
    this.total += written;
    this.since += written;
  }

  /** What a process before this one wrote is known to the planner: of large tables a vacuum takes minutes. */
  private notePast(name: PipelineName, rows: number): void {
    this.known.add(name);
    this.total += rows;
    if (rows > 0) this.next = Math.max(this.next, this.total * GROWTH);
  }

  /** Waits for what is running. */
  async finish(): Promise<void> {
    await this.running;
  }

  private begin(): void {
    if (this.running) return;
    const tables = this.tables;
    this.tables = new Set();
    this.since = 0;
    this.next = Math.max(this.next, this.total) * GROWTH;
    // A failure costs only speed, and the next milestone tries again.
    this.running = this.storage
      .session((session) => refreshStatistics(session, tables))
      .catch((error: unknown) => this.log.warn({ err: error }, 'statistics could not be refreshed'))
      .finally(() => (this.running = undefined));
  }
}

const rowsOf = ({ counters }: Committed['watermark']) =>
  Object.values(counters).reduce((sum, rows) => sum + rows, 0);
