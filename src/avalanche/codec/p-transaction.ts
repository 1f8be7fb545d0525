import {
  firstValidationId,
  frequentId,
  nodeIdOf,
  readFrequentId,
  readId,
  readIdBytes,
  readNodeId,
  ZERO_ID,
} from './ids.js';
import { outputTypes } from './outputs.js';
import {
  LEAST_L1_VALIDATOR,
  readAuthorization,
  readL1Validator,
  readSignedStake,
  readTransformation,
  readTypedOwners,
  readValidator,
} from './p-fields.js';
import type { PBody, PTransaction } from './p-types.js';
import { readWhole, type ByteReader } from './reader.js';
import { Draft, type Rules } from './transaction.js';
import { readWarpMessage } from './warp.js';

const rules: Rules = {
  outputs: [outputTypes.transfer, outputTypes.stakeable],
  stakeableInputs: true,
  credentials: { 9: 'secp256k1' },
};

/** A signed transaction of the P-chain, as platform.getTx gives it. */
export function decodePTransaction(bytes: Uint8Array): PTransaction {
  return readWhole('the transaction', bytes, (reader) => {
    reader.version('a transaction');
    return readPTransaction(reader);
  });
}

/** The same without codec version, as it stands in a block. */
export function readPTransaction(reader: ByteReader): PTransaction {
  const draft = new Draft(reader, rules);
  const type = reader.u32('type of a transaction');
  const timed = readTimed(reader, type);
  if (timed) return { base: null, ...draft.seal(), ...timed };
  const read = bodyOfType[type];
  if (!read) return reader.refuse(`a type of a P-chain transaction that is known, not ${type}`, 4);
  const base = draft.readBase();
  const body = read(reader, draft);
  return { base, ...draft.seal(), ...body };
}

/** Those that validators make themselves: they have no base. */
function readTimed(reader: ByteReader, type: number) {
  if (type === 19) return { type: 'AdvanceTimeTx', time: reader.u64('time') } as const;
  if (type !== 20 && type !== 42) return null;
  const stakingTxId = readId(reader, 'transaction id of a staker');
  if (type === 20) return { type: 'RewardValidatorTx', stakingTxId } as const;
  return { type: 'RewardAutoRenewedValidatorTx', stakingTxId, time: reader.u64('time') } as const;
}

/** What follows the base, at the type id (avalanchego vms/platformvm/txs/codec.go). */
const bodies = {
  12: (reader, draft) => {
    const validator = readValidator(reader);
    draft.readOutputs('stake');
    const rewardsOwner = readTypedOwners(reader);
    const delegationShares = reader.u32('delegation shares');
    return { type: 'AddValidatorTx', validator, subnetId: ZERO_ID, rewardsOwner, delegationShares };
  },
  13: (reader) => {
    const validator = readValidator(reader);
    const subnetId = readFrequentId(reader, 'subnet id');
    readAuthorization(reader);
    return { type: 'AddSubnetValidatorTx', validator, subnetId };
  },
  14: (reader, draft) => {
    const validator = readValidator(reader);
    draft.readOutputs('stake');
    return { type: 'AddDelegatorTx', validator, subnetId: ZERO_ID, rewardsOwner: readTypedOwners(reader) };
  },
  15: (reader) => {
    const body = {
      type: 'CreateChainTx' as const,
      subnetId: readFrequentId(reader, 'subnet id'),
      chainName: reader.text('name of a chain'),
      vmId: readFrequentId(reader, 'VM id'),
      fxIds: reader.list('feature extensions', 32, () => readFrequentId(reader, 'feature extension id')),
      genesis: reader.sized('genesis of a chain'),
    };
    readAuthorization(reader);
    return body;
  },
  16: (reader) => ({ type: 'CreateSubnetTx', owner: readTypedOwners(reader) }),
  17: (reader, draft) => {
    const sourceChain = readFrequentId(reader, 'source chain');
    draft.readInputs('imported');
    return { type: 'ImportTx', sourceChain };
  },
  18: (reader, draft) => {
    const destinationChain = readFrequentId(reader, 'destination chain');
    draft.readOutputs('exported');
    return { type: 'ExportTx', destinationChain };
  },
  23: (reader) => {
    const nodeId = readNodeId(reader, 'node id');
    const subnetId = readFrequentId(reader, 'subnet id');
    readAuthorization(reader);
    return { type: 'RemoveSubnetValidatorTx', nodeId, subnetId };
  },
  24: (reader) => {
    const subnetId = readFrequentId(reader, 'subnet id');
    const transformation = readTransformation(reader);
    readAuthorization(reader);
    return { type: 'TransformSubnetTx', subnetId, transformation };
  },
  25: (reader, draft) => {
    const validator = readValidator(reader);
    const subnetId = readFrequentId(reader, 'subnet id');
    const staker = readSignedStake(reader, draft);
    const delegationShares = reader.u32('delegation shares');
    return { type: 'AddPermissionlessValidatorTx', validator, subnetId, ...staker, delegationShares };
  },
  26: (reader, draft) => {
    const validator = readValidator(reader);
    const subnetId = readFrequentId(reader, 'subnet id');
    draft.readOutputs('stake');
    const rewardsOwner = readTypedOwners(reader);
    return { type: 'AddPermissionlessDelegatorTx', validator, subnetId, rewardsOwner };
  },
  33: (reader) => {
    const subnetId = readFrequentId(reader, 'subnet id');
    readAuthorization(reader);
    return { type: 'TransferSubnetOwnershipTx', subnetId, owner: readTypedOwners(reader) };
  },
  34: () => ({ type: 'BaseTx' }),
  35: (reader) => {
    const subnet = readIdBytes(reader, 'subnet id');
    const managerChainId = readFrequentId(reader, 'chain of a validator manager');
    const managerAddress = reader.sized('address of a validator manager');
    let index = 0;
    const validators = reader.list('validators', LEAST_L1_VALIDATOR, () =>
      readL1Validator(reader, firstValidationId(subnet, index++)),
    );
    readAuthorization(reader);
    const subnetId = frequentId(subnet);
    return { type: 'ConvertSubnetToL1Tx', subnetId, managerChainId, managerAddress, validators };
  },
  36: (reader) => ({
    type: 'RegisterL1ValidatorTx',
    balance: reader.u64('balance of a validator'),
    proofOfPossession: reader.take(96, 'proof of possession'),
    warp: readWarpMessage(reader, 'RegisterL1Validator'),
  }),
  37: (reader) => ({ type: 'SetL1ValidatorWeightTx', warp: readWarpMessage(reader, 'L1ValidatorWeight') }),
  38: (reader) => ({
    type: 'IncreaseL1ValidatorBalanceTx',
    validationId: readFrequentId(reader, 'validation id'),
    balance: reader.u64('balance of a validator'),
  }),
  39: (reader) => {
    const validationId = readFrequentId(reader, 'validation id');
    readAuthorization(reader);
    return { type: 'DisableL1ValidatorTx', validationId };
  },
  // 40 to 42 as avalanchego 1.15.0-fuji has them: no recorded network holds one.
  40: (reader, draft) => {
    const nodeId = nodeIdOf(reader.sized('node id'));
    const staker = readSignedStake(reader, draft);
    return {
      type: 'AddAutoRenewedValidatorTx',
      nodeId,
      ...staker,
      configOwner: readTypedOwners(reader),
      delegationShares: reader.u32('delegation shares'),
      weight: draft.outputs.reduce(
        (sum, { role, output }) => (role === 'stake' ? sum + output.amount : sum),
        0n,
      ),
      autoCompoundRewardShares: reader.u32('shares of rewards to stake again'),
      period: reader.u64('period of a validator'),
    };
  },
  41: (reader) => {
    const stakingTxId = readId(reader, 'transaction id of a staker');
    readAuthorization(reader);
    const autoCompoundRewardShares = reader.u32('shares of rewards to stake again');
    const period = reader.u64('period of a validator');
    return { type: 'SetAutoRenewedValidatorConfigTx', stakingTxId, autoCompoundRewardShares, period };
  },
} satisfies Record<number, (reader: ByteReader, draft: Draft) => PBody>;

type Read = ReturnType<(typeof bodies)[keyof typeof bodies]> | NonNullable<ReturnType<typeof readTimed>>;

/** Does not compile where the union has a type that nothing reads. */
const bodyOfType: Readonly<Record<number, (reader: ByteReader, draft: Draft) => PBody>> &
  Record<Exclude<PTransaction['type'], Read['type']>, never> = bodies;
