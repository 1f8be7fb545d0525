import type { Network } from '../avalanche/networks.js';
import type { Nodes } from '../follow/node/nodes.js';
import { readForkTimes } from '../follow/network/node-facts.js';
import { pause } from '../follow/pauses.js';
import { nodeState } from '../follow/staking/node-state.js';
import { presentState, stateDifferences } from '../follow/staking/present.js';
import { StakingState, type StakingRules } from '../follow/staking/state.js';
import { readState, type Stored } from '../follow/staking/store.js';
import { withSnapshot } from '../export/snapshot.js';
import { pipelineTable } from '../state/following.js';
import type { Storage } from '../storage/storage.js';
import { Findings, notCompared, orNotCompared, type Outcome } from './finding.js';

const name = 'state of stakers and L1 validators';
const by = 'the state of the node at the same block';
/** How often it is tried to find the node at the newest stored block. */
const TRIES = 10;
const PAUSE_MS = 1000;

/** What the comparison works with. */
export interface StateDeps {
  readonly nodes: Nodes;
  readonly network: Network;
  readonly signal: AbortSignal;
}

/**
 * Compares supplies, the excess of the fee of L1 validators, and each validator's weight, rewards and balance
 * with the node's.
 *
 * @returns nothing for a network without such a state
 * @throws the signal's reason
 */
export function comparePresentState(stored: Storage, deps: StateDeps): Promise<readonly Outcome[]> {
  return orNotCompared(name, by, async () => {
    const outcome = await stateOutcome(stored, deps);
    return outcome ? [outcome] : [];
  });
}

async function stateOutcome(stored: Storage, deps: StateDeps): Promise<Outcome | null> {
  const { nodes, network, signal } = deps;
  const rules: StakingRules = {
    ...(await readForkTimes(nodes, signal)),
    avaxAssetId: await nodes.platform.stakingAssetId({ signal }),
    fee: await nodes.platform.validatorFeeConfig({ signal }),
  };
  for (let times = 0; times < TRIES; times += 1) {
    const held = await heldState(stored, network);
    if (!held) return null;
    const ours = presentState(new StakingState(rules, held.state));
    const theirs = await nodeState(nodes.platform, ours, held.height, { signal });
    if (theirs === null) {
      await pause(PAUSE_MS, signal);
      signal.throwIfAborted();
      continue;
    }
    const findings = new Findings();
    for (const { what, node, here } of stateDifferences(ours, theirs))
      findings.add({ row: what, column: null, stored: here, proved: node });
    if (held.difference !== null)
      findings.add({
        row: `since block ${held.difference.height}`,
        column: 'difference',
        proved: 'none',
        stored: held.difference.text,
      });
    const validators = [...ours.validators.values()].reduce((sum, each) => sum + each.length, 0);
    return findings.outcome(name, by, validators + ours.supplies.size);
  }
  return notCompared(
    name,
    by,
    `the node was not at the newest stored block of p when it was asked, ${TRIES} times`,
  );
}

/** The stored state and the block after which it is. */
function heldState(
  stored: Storage,
  network: Network,
): Promise<(Stored & { readonly height: bigint }) | null> {
  return withSnapshot(stored, async (session) => {
    const read = async <Row extends object>({ text }: { text: string }, values: unknown[]) =>
      (await session.query<Row>(text, values)).rows;
    const state = await readState({ read }, network);
    const [row] = await read<{ next: string }>(
      {
        text: `SELECT next_height::text AS next FROM ${pipelineTable.name} WHERE network = $1::network AND name = 'p'`,
      },
      [network],
    );
    return state && row ? { ...state, height: BigInt(row.next) - 1n } : null;
  });
}
