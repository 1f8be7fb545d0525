import { isDelegator } from '../../src/avalanche/chain/staker-order.js';
import { ZERO_ID } from '../../src/avalanche/codec/ids.js';
import { formatAddress } from '../../src/avalanche/address.js';
import type { StoredState } from '../../src/follow/staking/state.js';
import type { Staker } from '../../src/follow/staking/staker.js';
import { startAlteredNode } from './altered-node.js';
import type { ScriptedNode } from './scripted-node.js';

/** What a call names. */
interface NodeRequest {
  readonly subnetID?: string;
  readonly nodeIDs?: readonly string[];
}

/** A node that says a state of the past as the present one, until it is said to go on. */
export interface StateNode extends ScriptedNode {
  /** How often the supply of the primary network was asked for. */
  looks: () => number;
  /** From now on its answers are those of the node behind it. */
  goOn: () => void;
}

/** @param target a node whose newest block is `height` */
export async function startStateNode(target: string, state: StoredState, height: bigint): Promise<StateNode> {
  let isPast = true;
  let looks = 0;
  const node = await startAlteredNode(target, ({ method, params }) => {
    if (!isPast) return null;
    const given = ((Array.isArray(params) ? params[0] : params) ?? {}) as NodeRequest;
    if (method === 'platform.getCurrentSupply' && given.subnetID === undefined) looks += 1;
    const result = answerOf(state, height, method, given);
    return result === null ? null : { result };
  });
  return Object.assign(node, { looks: () => looks, goOn: () => void (isPast = false) });
}

function answerOf(
  state: StoredState,
  height: bigint,
  method: string,
  { subnetID = ZERO_ID, nodeIDs }: NodeRequest,
): object | null {
  const timestamp = new Date(state.time * 1000).toISOString();
  const supply = state.supplies.get(subnetID);
  switch (method) {
    case 'platform.getTimestamp':
      return { timestamp };
    case 'platform.getValidatorFeeState':
      return { excess: state.fee.excess.toString(), timestamp };
    case 'platform.getCurrentSupply':
      return { supply: String(supply?.supply ?? 0n), height: height.toString() };
    case 'platform.getSubnet':
      return supply ? null : { subnetTransformationTxID: ZERO_ID };
    case 'platform.getCurrentValidators':
      return { validators: validatorsOf(state, subnetID, nodeIDs) };
    default:
      return null;
  }
}

function validatorsOf(state: StoredState, subnetId: string, nodeIds?: readonly string[]): object[] {
  const stakers = state.stakers.filter((one) => one.subnetId === subnetId);
  const isWanted = ({ nodeId }: { nodeId: string }) => nodeIds?.includes(nodeId) ?? true;
  const validators = stakers.filter((one) => !isDelegator(one.priority) && isWanted(one));
  const delegators = ({ nodeId }: Staker) =>
    stakers.filter((one) => isDelegator(one.priority) && one.nodeId === nodeId);
  const l1 = state.l1Validators.filter((one) => one.subnetId === subnetId && isWanted(one));
  return [
    ...validators.map((one) => ({
      ...saidOf(one),
      accruedDelegateeReward: one.delegateeReward.toString(),
      delegatorCount: String(delegators(one).length),
      ...(nodeIds && { delegators: delegators(one).map(saidOf) }),
    })),
    ...l1.map(({ validationId, nodeId, weight, endFee, owner, activeSince }) => ({
      validationID: validationId,
      nodeID: nodeId,
      weight: weight.toString(),
      startTime: String(activeSince ?? 0),
      balance: String(endFee > 0n ? endFee - state.fee.accrued : 0n),
      remainingBalanceOwner: {
        locktime: owner.locktime ?? '0',
        threshold: String(owner.threshold),
        addresses: owner.addresses.map((hex) => `P-${formatAddress('fuji', Buffer.from(hex, 'hex'))}`),
      },
    })),
  ];
}

const saidOf = ({ txId, nodeId, weight, start, end, potentialReward }: Staker) => ({
  txID: txId,
  nodeID: nodeId,
  weight: weight.toString(),
  startTime: String(start),
  endTime: String(end),
  potentialReward: potentialReward.toString(),
});
