import { addressesOf } from '../../avalanche/chain/output-members.js';
import { isOfType } from '../../avalanche/chain/transactions.js';
import { decodeCb58 } from '../../avalanche/cb58.js';
import type { OutputOwners, PTransaction, ProofOfPossession } from '../../avalanche/codec/types.js';
import { parseEvmAddress } from '../../avalanche/evm.js';
import { toHex } from '../../avalanche/hex.js';
import type { Network } from '../../avalanche/networks.js';
import { genesisData } from '../evm/evm-genesis.js';
import type { L1Effect } from '../staking/l1-effect.js';
import { ZERO_ID } from '../../avalanche/codec/ids.js';
import { LONGEST_MEMO, LONGEST_TEXT } from '../../rows/bounds.js';
import { cutText } from '../../rows/cut.js';
import { memoOf, periodOf, transformationRow, type Row } from './rows.js';

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

type Details<Type extends PTransaction['type']> = (
  transaction: Extract<PTransaction, { type: Type }>,
  context: PDetailContext,
) => Row;

const none = (): Row => ({});
const l1Changes = (_: PTransaction, { l1 }: PDetailContext): Row => l1Details(l1);

/** What each type says in addition to its stake. */
const own: { readonly [Type in PTransaction['type']]: Details<Type> } = {
  AddValidatorTx: none,
  AddSubnetValidatorTx: none,
  AddDelegatorTx: none,
  AddPermissionlessValidatorTx: none,
  AddPermissionlessDelegatorTx: none,
  ImportTx: none,
  ExportTx: none,
  BaseTx: none,
  AdvanceTimeTx: none,
  RewardValidatorTx: none,
  RewardAutoRenewedValidatorTx: none,
  SetAutoRenewedValidatorConfigTx: none,
  CreateSubnetTx: ({ id, owner }, { network }) => ({
    subnetId: id,
    subnetOwnershipInfo: ownership(network, owner),
  }),
  TransferSubnetOwnershipTx: ({ subnetId, owner }, { network }) => ({
    subnetId,
    subnetOwnershipInfo: ownership(network, owner),
  }),
  CreateChainTx: (transaction) => ({
    subnetId: transaction.subnetId,
    blockchainInfo: blockchainInfo(transaction),
  }),
  RemoveSubnetValidatorTx: ({ nodeId, subnetId }) => ({ nodeId, subnetId }),
  TransformSubnetTx: ({ subnetId, transformation }) => ({ subnetId, ...transformationRow(transformation) }),
  ConvertSubnetToL1Tx: (transaction, { l1 }) => ({
    subnetId: transaction.subnetId,
    ...managerDetails(transaction),
    ...l1Details(l1),
  }),
  RegisterL1ValidatorTx: l1Changes,
  SetL1ValidatorWeightTx: l1Changes,
  IncreaseL1ValidatorBalanceTx: l1Changes,
  DisableL1ValidatorTx: l1Changes,
  AddAutoRenewedValidatorTx: (transaction, { network }) => ({
    nodeId: transaction.nodeId,
    subnetId: ZERO_ID,
    ...validatorDetails(network, transaction),
  }),
};

function ownDetails(transaction: PTransaction, context: PDetailContext): Row {
  const details = own[transaction.type] as Details<PTransaction['type']>;
  return details(transaction, context);
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
      return { ...staker, ...validatorDetails(network, transaction) };
    case 'AddSubnetValidatorTx':
      return staker;
  }
}

/** Who is paid for a validator's stake and its delegators', what it keeps of their rewards, and its key. */
function validatorDetails(
  network: Network,
  staking: Extract<PTransaction, { delegatorRewardsOwner: OutputOwners }>,
): Row {
  const owners = [staking.validatorRewardsOwner, staking.delegatorRewardsOwner];
  return {
    rewardAddresses: [...new Set(owners.flatMap((owner) => addressesOf(network, owner)))],
    delegationFeePercent: percent(staking.delegationShares),
    ...(staking.signer ? { blsCredentials: bls(staking.signer) } : {}),
  };
}

export const estimate = (reward: bigint | null): Row =>
  reward === null ? {} : { estimatedReward: reward.toString() };

/** The amount that a transaction moves to balances of L1 validators, nAVAX. */
export function l1BalanceOf(transaction: PTransaction): bigint {
  if (!isOfType(transaction, 'l1Balance', 'adds')) return 0n;
  return transaction.type === 'ConvertSubnetToL1Tx'
    ? transaction.validators.reduce((total, { balance }) => total + balance, 0n)
    : transaction.balance;
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
