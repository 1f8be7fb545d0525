import { randomInt } from 'node:crypto';
import type { Nodes } from '../follow/node/nodes.js';
import { unless, type NodeError } from '../follow/node/error.js';
import { ofSubnet } from '../follow/node/state-answers.js';
import type { StakingState } from '../follow/staking/state.js';
import { validatedSubnets, validatorWeights } from '../follow/staking/validator-weights.js';
import { Findings, orNotCompared, type Outcome } from './finding.js';

const name = 'validators at random blocks';
const by = 'getValidatorsAt of the node';
/** Most blocks whose validators are compared. */
const BLOCKS = 100;

/** The validators of a subnet after a block, with their weights by node. */
interface ValidatorSet {
  readonly height: bigint;
  readonly subnetId: string;
  readonly weights: ReadonlyMap<string, bigint>;
}

/**
 * The validators of a random subnet after random blocks. Each block that is noted is as likely as any other
 * to be kept, however many there are (Vitter's algorithm R).
 */
export class RandomValidatorSets {
  private readonly kept: ValidatorSet[] = [];
  private blocks = 0;

  get sets(): readonly ValidatorSet[] {
    return this.kept;
  }

  /** Notes the state after a block; nothing where it is not known who validates. */
  readonly note = (height: bigint, state: StakingState): void => {
    if (!state.stakers || !state.l1.isKnown) return;
    this.blocks += 1;
    const index = this.kept.length < BLOCKS ? this.kept.length : randomInt(this.blocks);
    if (index >= BLOCKS) return;
    const subnets = [...validatedSubnets(state)];
    const subnetId = subnets[subnets.length > 0 ? randomInt(subnets.length) : 0];
    if (subnetId === undefined) return;
    this.kept[index] = { height, subnetId, weights: validatorWeights(state, subnetId) };
  };
}

/**
 * Compares validator sets with the node's.
 *
 * @returns nothing for a node that does not say who validated earlier
 * @throws the signal's reason
 */
export function comparePastValidators(
  sets: readonly ValidatorSet[],
  { platform }: Pick<Nodes, 'platform'>,
  signal: AbortSignal,
): Promise<readonly Outcome[]> {
  return orNotCompared(name, by, async () => {
    const findings = new Findings();
    let compared = 0;
    for (const { height, subnetId, weights } of sets) {
      const asked = platform.validatorsAt(height, { ...ofSubnet(subnetId), signal, patienceMs: 0 });
      // No node need have this height, or offer the method.
      const isUnknown = ({ failureClass }: NodeError) => ['elsewhere', 'wait'].includes(failureClass);
      const theirs = await unless(asked, isUnknown, null);
      if (theirs === null) continue;
      compared += 1;
      compareWeights(`block ${height}, ${subnetId}`, weights, theirs, findings);
    }
    return compared > 0 ? [findings.outcome(name, by, compared)] : [];
  });
}

function compareWeights(
  where: string,
  ours: ReadonlyMap<string, bigint>,
  theirs: ReadonlyMap<string, bigint>,
  findings: Findings,
): void {
  const text = (weight: bigint | undefined) => weight?.toString() ?? 'no validator';
  for (const nodeId of new Set([...ours.keys(), ...theirs.keys()])) {
    const [stored, proved] = [ours.get(nodeId), theirs.get(nodeId)];
    if (stored !== proved)
      findings.add({
        row: `${nodeId} at ${where}`,
        column: 'weight',
        stored: text(stored),
        proved: text(proved),
      });
  }
}
