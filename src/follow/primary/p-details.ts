import { decodeCb58 } from '../../avalanche/cb58.js';
import { getAddress } from 'viem';
import type { OutputOwners, PTransaction, ProofOfPossession } from '../../avalanche/codec/types.js';
import type { Network } from '../../avalanche/networks.js';
import { genesisData } from './evm-genesis.js';
import { validationIdOf, type L1Validators, type L1ValidatorPlace } from './l1-validators.js';
import { ZERO_ID } from '../../avalanche/codec/ids.js';
import { addressesOf, hexOf, type Row } from './rows.js';

/** The period for which a transaction stakes, Unix seconds. */
export interface Stake {
  readonly start: number;
  readonly end: bigint;
}

/** What the fields of a transaction depend on besides itself. */
export interface PDetailContext {
  readonly network: Network;
  readonly l1Validators: L1Validators;
  /** Null for a transaction that does not stake, or whose staker was refused. */
  readonly stake: Stake | null;
}

/** The fields of a P-chain transaction that only some types have (follow.md 4.3, docs/contract.md "Transactions"). */
export function pDetails(transaction: PTransaction, context: PDetailContext): Row {
  const { base } = transaction;
  return {
    ...(base === null ? {} : { memo: hexOf(base.memo) }),
    ...ownDetails(transaction, context),
    ...stakingDetails(transaction, context),
  };
}

function ownDetails(transaction: PTransaction, { network, l1Validators }: PDetailContext): Row {
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
    case 'RegisterL1ValidatorTx':
    case 'SetL1ValidatorWeightTx':
    case 'IncreaseL1ValidatorBalanceTx':
    case 'DisableL1ValidatorTx':
      return l1Details(transaction, l1Validators);
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
  const staker = { ...named, startTimestamp: stake.start, endTimestamp: stake.end };
  switch (transaction.type) {
    case 'AddSubnetValidatorTx':
      return staker;
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
  }
}

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

type L1Transaction = Extract<PTransaction, { type: `${string}L1${string}` }>;

function l1Details(transaction: L1Transaction, l1Validators: L1Validators): Row {
  if (transaction.type === 'ConvertSubnetToL1Tx') {
    const { subnetId, managerChainId, managerAddress, validators } = transaction;
    return {
      subnetId,
      // An address of another length is no contract of an EVM chain.
      ...(managerAddress.length === 20
        ? {
            l1ValidatorManagerDetails: {
              blockchainId: managerChainId,
              contractAddress: getAddress(hexOf(managerAddress) as `0x${string}`),
            },
          }
        : {}),
      l1ValidatorDetails: validators.map(({ validationId, nodeId, weight, balance, signer }) => ({
        ...l1Row({ validationId, subnetId, nodeId, weight }),
        ...added(balance),
        blsCredentials: bls(signer),
      })),
    };
  }
  const { place, change } = changeOf(transaction, l1Validators);
  return { l1ValidatorDetails: [{ ...l1Row(place), ...change }] };
}

type Place = Omit<L1ValidatorPlace, 'madeBy'>;

/** What a transaction does to one L1 validator. Balances after fees are not known: they stand in no block. */
function changeOf(
  transaction: Exclude<L1Transaction, { type: 'ConvertSubnetToL1Tx' }>,
  l1Validators: L1Validators,
): { place: Place; change: Row } {
  const validationId = validationIdOf(transaction);
  if (transaction.type === 'RegisterL1ValidatorTx') {
    const { message } = transaction.warp;
    if (message.type !== 'RegisterL1Validator') throw new Error(`${transaction.id} registers nothing`);
    const { subnetId, nodeId, weight, blsPublicKey } = message;
    const place = { validationId, subnetId, nodeId, weight };
    const blsCredentials = bls({ publicKey: blsPublicKey, proof: transaction.proofOfPossession });
    return { place, change: { ...added(transaction.balance), blsCredentials } };
  }
  const place = l1Validators.get(validationId);
  if (!place) throw new Error(`L1 validator ${validationId} was registered before the first block that is stored`);
  switch (transaction.type) {
    case 'IncreaseL1ValidatorBalanceTx':
      return { place, change: { balanceChange: transaction.balance } };
    case 'DisableL1ValidatorTx':
      return { place, change: { remainingBalance: 0 } };
    case 'SetL1ValidatorWeightTx': {
      const { message } = transaction.warp;
      if (message.type !== 'L1ValidatorWeight') throw new Error(`${transaction.id} sets no weight`);
      const changed = { ...place, weight: message.weight };
      l1Validators.set(changed);
      return { place: changed, change: message.weight === 0n ? { remainingBalance: 0 } : {} };
    }
  }
}

const added = (balance: bigint) => ({ remainingBalance: balance, balanceChange: balance });

const l1Row = ({ validationId, subnetId, nodeId, weight }: Place) => ({
  ...{ validationId, validationIdHex: hexOf(decodeCb58(validationId) as Uint8Array), nodeId, subnetId, weight },
});

const bls = ({ publicKey, proof }: ProofOfPossession) => ({
  publicKey: hexOf(publicKey),
  proofOfPossession: hexOf(proof),
});

const ownership = (network: Network, owner: OutputOwners) => ({
  locktime: owner.locktime,
  threshold: owner.threshold,
  addresses: addressesOf(network, owner),
});

function blockchainInfo({ chainName, vmId, genesis }: Extract<PTransaction, { type: 'CreateChainTx' }>): Row {
  const data = genesisData(genesis);
  return { chainName, vmId, ...(data === undefined ? {} : { genesisData: data }) };
}

/** Shares of a million as percent, exact: 20000 is "2", 20001 is "2.0001". */
function percent(shares: number): string {
  return String(shares / 10_000);
}

