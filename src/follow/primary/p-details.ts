import { decodeCb58 } from '../../avalanche/cb58.js';
import type { OutputOwners, PTransaction, ProofOfPossession } from '../../avalanche/codec/types.js';
import { parseEvmAddress } from '../../avalanche/evm.js';
import { toHex } from '../../avalanche/hex.js';
import type { Network } from '../../avalanche/networks.js';
import { genesisData } from './evm-genesis.js';
import type { L1Effect } from '../staking/l1-effect.js';
import { ZERO_ID } from '../../avalanche/codec/ids.js';
import { LONGEST_MEMO, LONGEST_TEXT } from '../../rows/bounds.js';
import { cutText } from '../../rows/cut.js';
import { addressesOf, memoOf, periodOf, type Row } from './rows.js';

/** The period for which a transaction stakes, Unix seconds. */
export interface Stake {
  readonly start: number;
  readonly end: bigint;
}

/** What the fields of a transaction depend on, in addition to itself. */
export interface PDetailContext {
  readonly network: Network;
  /** What it did to L1 validators. */
  readonly l1: L1Effect | null;
  /** Null for a transaction that does not stake, or whose staker was refused. */
  readonly stake: Stake | null;
  /** What it is paid if it is rewarded; null when that is not known yet, or not at all. */
  readonly estimatedReward: bigint | null;
}

/** The fields of a P-chain transaction that only some types have (docs/contract.md, "Transactions"). */
export function pDetails(transaction: PTransaction, context: PDetailContext): Row {
  const { base } = transaction;
  return {
    ...(base === null ? {} : memoOf(base.memo, LONGEST_MEMO)),
    ...ownDetails(transaction, context),
    ...stakingDetails(transaction, context),
    ...estimate(context.estimatedReward),
  };
}

function ownDetails(transaction: PTransaction, { network, l1 }: PDetailContext): Row {
  switch (transaction.type) {
    case 'CreateSubnetTx':
      return { subnetId: transaction.id, subnetOwnershipInfo: ownership(network, transaction.owner) };
    case 'TransferSubnetOwnershipTx':
      return { subnetId: transaction.subnetId, subnetOwnershipInfo: ownership(network, transaction.owner) };
    case 'CreateChainTx':
      return { subnetId: transaction.subnetId, blockchainInfo: blockchainInfo(transaction) };
    case 'RemoveSubnetValidatorTx':
      return { nodeId: transaction.nodeId, subnetId: transaction.subnetId };
    case 'TransformSubnetTx':
      return { subnetId: transaction.subnetId };
    case 'ConvertSubnetToL1Tx':
      return { subnetId: transaction.subnetId, ...managerDetails(transaction), ...l1Details(l1) };
    case 'RegisterL1ValidatorTx':
    case 'SetL1ValidatorWeightTx':
    case 'IncreaseL1ValidatorBalanceTx':
    case 'DisableL1ValidatorTx':
      return l1Details(l1);
    case 'AddAutoRenewedValidatorTx':
      return { nodeId: transaction.nodeId, subnetId: ZERO_ID };
    default:
      return {};
  }
}

/** Fields of stakers. One whose proposal was refused names its node, and has neither period nor reward. */
function stakingDetails(transaction: PTransaction, { network, stake }: PDetailContext): Row {
  if (!('validator' in transaction)) return {};
  const named = { nodeId: transaction.validator.nodeId, subnetId: transaction.subnetId };
  if (stake === null) return named;
  const staker = { ...named, ...periodOf(stake, 'startTimestamp', 'endTimestamp') };
  switch (transaction.type) {
    case 'AddDelegatorTx':
    case 'AddPermissionlessDelegatorTx':
      return { ...staker, rewardAddresses: addressesOf(network, transaction.rewardsOwner) };
    case 'AddValidatorTx':
      return {
        ...staker,
        rewardAddresses: addressesOf(network, transaction.rewardsOwner),
        delegationFeePercent: percent(transaction.delegationShares),
      };
    case 'AddPermissionlessValidatorTx':
      return {
        ...staker,
        rewardAddresses: [
          ...new Set(
            [transaction.validatorRewardsOwner, transaction.delegatorRewardsOwner].flatMap((owner) =>
              addressesOf(network, owner),
            ),
          ),
        ],
        delegationFeePercent: percent(transaction.delegationShares),
        ...(transaction.signer ? { blsCredentials: bls(transaction.signer) } : {}),
      };
    default:
      return staker;
  }
}

export const estimate = (reward: bigint | null): Row =>
  reward === null ? {} : { estimatedReward: reward.toString() };

/** The amount that a transaction moves to balances of L1 validators, nAVAX. */
export function l1BalanceOf(transaction: PTransaction): bigint {
  switch (transaction.type) {
    case 'ConvertSubnetToL1Tx':
      return transaction.validators.reduce((total, { balance }) => total + balance, 0n);
    case 'RegisterL1ValidatorTx':
    case 'IncreaseL1ValidatorBalanceTx':
      return transaction.balance;
    default:
      return 0n;
  }
}

/** The contract that manages an L1; none for an address that an EVM chain cannot have. */
function managerDetails({
  managerChainId,
  managerAddress,
}: Extract<PTransaction, { type: 'ConvertSubnetToL1Tx' }>): Row {
  const contractAddress = parseEvmAddress(toHex(managerAddress));
  return contractAddress === null
    ? {}
    : { l1ValidatorManagerDetails: { blockchainId: managerChainId, contractAddress } };
}

/** Left out where a validator was registered before the first block that was followed. */
function l1Details(effect: L1Effect | null): Row {
  if (effect === null) return {};
  return {
    l1ValidatorDetails: effect.changes.map(({ after, balance, balanceChange, signer }) => ({
      validationId: after.validationId,
      validationIdHex: toHex(decodeCb58(after.validationId) as Uint8Array),
      nodeId: after.nodeId,
      subnetId: after.subnetId,
      weight: after.weight,
      remainingBalance: balance,
      ...(balanceChange === 0n ? {} : { balanceChange }),
      ...(signer ? { blsCredentials: bls(signer) } : {}),
    })),
  };
}

const bls = ({ publicKey, proof }: ProofOfPossession) => ({
  publicKey: toHex(publicKey),
  proofOfPossession: toHex(proof),
});

const ownership = (network: Network, owner: OutputOwners) => ({
  locktime: owner.locktime,
  threshold: owner.threshold,
  addresses: addressesOf(network, owner),
});

function blockchainInfo({ chainName, vmId, genesis }: Extract<PTransaction, { type: 'CreateChainTx' }>): Row {
  const data = genesisData(genesis);
  return {
    chainName: cutText(chainName, LONGEST_TEXT),
    vmId,
    ...(data === undefined ? {} : { genesisData: data }),
  };
}

/** Shares of a million as percent, exact: 20000 is "2", 20001 is "2.0001". */
function percent(shares: number): string {
  return String(shares / 10_000);
}
