import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { printable, shorten } from '../errors.js';
import { readGaps, type StoredGap } from '../follow/gaps.js';
import { openMigrated } from '../open-database.js';
import type { Stop } from '../stop.js';

/** The most that are printed. */
const SHOWN = 1000;
/** Longest part of what a node said. */
const SHOWN_REASON = 300;

/**
 * `moraine follow --gaps`: prints the blocks with gaps, and why a node refused them. No node is asked.
 *
 * @throws StorageError with a message for people
 */
export async function listGaps(config: Config, log: Logger, stop: Stop): Promise<void> {
  const storage = await openMigrated(config, log, stop);
  try {
    const { gaps, count } = await readGaps(storage, SHOWN);
    const lines = gaps.map(inWords);
    if (count > gaps.length) lines.push(`… and ${(count - gaps.length).toLocaleString('en')} more`);
    process.stdout.write(`${count === 0 ? 'There are no gaps.' : lines.join('\n')}\n`);
  } finally {
    await storage.close();
  }
}

function inWords({ network, name, height, transactions, since, tries, nextTry, reason }: StoredGap): string {
  const asked = tries === 1 ? 'asked for again once' : `asked for again ${tries.toLocaleString('en')} times`;
  return [
    `${network} ${name}, block ${height.toLocaleString('en')}: since ${since.toISOString()}, ${asked}, next at ${nextTry.toISOString()}`,
    ...transactions.map((hash) => `  transaction ${hash}`),
    `  ${shorten(printable(reason), SHOWN_REASON)}`,
  ].join('\n');
}
