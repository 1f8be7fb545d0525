import { withSnapshot } from '../../src/export/snapshot.js';
import type { StreamName } from '../../src/config/follow-settings.js';
import type { Storage } from '../../src/storage/open.js';
import { compareTable } from '../../src/verify/compare-tables.js';
import { followedTables, importedTables, stateTables, type ProvedTable } from '../../src/verify/tables.js';
import { until } from './embedded.js';
import { excerptHeads } from './excerpt-node.js';
import { followOnce, startFollowing, type ToFollow } from './followed.js';
import type { Heads, NodeServer } from './node-server.js';
import type { RecordedNode } from './recorded-node.js';

/** What `verify` proves by nothing, and an export carries. */
const carried: readonly ProvedTable[] = [
  { name: 'follow_gap', key: ['network', 'name', 'height'] },
  { name: 'follow_range', key: ['network', 'name', 'first_height'], unproved: ['note', 'updated_at'] },
  { name: 'follow_token', key: ['evm_chain_id', 'contract'] },
  { name: 'icm_waiting', key: ['network', 'message_id', 'blockchain_id'] },
];

/**
 * How the rows of every table of a database differ from those of another one, row ids and times of the run
 * left out.
 */
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
 * The chain of the primary network at whose half a stream can end: its rows need nothing that was recorded at
 * the end alone.
 */
const halved: Partial<Record<StreamName, keyof Heads>> = {
  p: 'P',
  x: 'X',
  'c-atomic': 'C',
  internals: 'C',
};

/**
 * Follows each stream of a recorded node that answers slowly: to the half of its blocks, or until some of
 * them are stored where nodes are asked for the state at the head.
 */
export async function followHalf(
  storage: Storage,
  node: RecordedNode,
  given: ToFollow,
  streams: readonly StreamName[],
): Promise<void> {
  const { full } = await node.heads();
  for (const stream of streams) {
    const chain = halved[stream];
    if (chain) await node.moveHeads({ [chain]: Math.floor(full[chain] / 2) });
    const following = await startFollowing(storage, { ...given, only: [stream], once: true });
    const [view] = following.views;
    let hasEnded = false;
    void following.ended.finally(() => (hasEnded = true));
    const isEnough = () => hasEnded || (chain === undefined && (view?.next ?? 0n) > 1n);
    await until(() => Promise.resolve(isEnough()));
    const [stopped] = await following.stop();
    if (stopped) throw stopped.why;
    await node.moveHeads(full);
  }
}

/**
 * Follows the recorded part of a network to the middle: each chain while the others are at their ends,
 * because a node with all of them in the middle lacks transactions that their blocks name.
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
