import { withSnapshot } from '../../src/export/snapshot.js';
import type { StreamName } from '../../src/config/follow-settings.js';
import type { Storage } from '../../src/storage/open.js';
import { compareTable } from '../../src/verify/compare-tables.js';
import { followedTables, importedTables, stateTables, type ProvedTable } from '../../src/verify/tables.js';
import { until } from './embedded.js';
import { excerptHeads } from './excerpt-node.js';
import { followOnce, startFollowing, type ToFollow } from './followed.js';
import type { NodeServer } from './node-server.js';

/** What `verify` proves by nothing, and an export carries. */
const carried: readonly ProvedTable[] = [
  { name: 'follow_gap', key: ['network', 'name', 'height'] },
  { name: 'follow_token', key: ['evm_chain_id', 'contract'] },
  { name: 'icm_waiting', key: ['network', 'message_id', 'blockchain_id'] },
];

/** How the rows of every table of a database differ from those of another one, row ids and times of the run left out. */
export async function differencesOf(one: Storage, other: Storage): Promise<unknown[]> {
  const tables = [...followedTables, ...importedTables, ...stateTables, ...carried];
  return withSnapshot(one, (stored) =>
    withSnapshot(other, async (proved) => {
      const found = [];
      for (const table of tables) {
        // A row of a dictionary that nothing names any longer is in one of them alone.
        const { findings } = await compareTable({ stored, proved }, table, { scope: null, by: 'another' });
        found.push(...findings);
      }
      return found;
    }),
  );
}

/**
 * Follows each stream of a node that answers slowly until some of its blocks are stored. Its heads are at their ends: what
 * contracts say, and what addresses hold, was recorded there alone.
 */
export async function followPartly(
  storage: Storage,
  given: ToFollow,
  streams: readonly StreamName[],
): Promise<void> {
  for (const stream of streams) {
    const following = await startFollowing(storage, { ...given, only: [stream] });
    const [view] = following.views;
    await until(() => Promise.resolve((view?.next ?? 0n) > 1n));
    const [stopped] = await following.stop();
    if (stopped) throw stopped.why;
  }
}

/**
 * Follows the recorded part of a network to the middle: each chain while the others are at their ends, because a node with all
 * of them in the middle lacks transactions that their blocks name.
 */
export async function followToMiddle(
  storage: Storage,
  { heads }: NodeServer,
  given: ToFollow,
): Promise<void> {
  for (const [chain, stream] of [
    ['P', 'p'],
    ['X', 'x'],
    ['C', 'c-atomic'],
  ] as const) {
    heads[chain] = Math.floor(excerptHeads[chain] / 2);
    const [stopped] = await followOnce(storage, { ...given, only: [stream] });
    if (stopped) throw stopped.why;
    heads[chain] = excerptHeads[chain];
  }
}
