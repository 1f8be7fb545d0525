import { nodeIdOf, readFrequentId, readNodeId } from './ids.js';
import { readOwners, readPlainOwners } from './outputs.js';
import type { L1Validator, ProofOfPossession, SubnetTransformation, Validator } from './p-types.js';
import type { ByteReader } from './reader.js';
import { readSignatureIndices, type Draft } from './transaction.js';
import type { OutputOwners } from './types.js';

export function readValidator(reader: ByteReader): Validator {
  return {
    nodeId: readNodeId(reader, 'node id'),
    start: reader.u64('start of a validator'),
    end: reader.u64('end of a validator'),
    weight: reader.u64('weight of a validator'),
  };
}

/** Key, stake and owners of rewards. */
export function readSignedStake(reader: ByteReader, draft: Draft) {
  const signer = readSigner(reader);
  draft.readOutputs('stake');
  return {
    signer,
    validatorRewardsOwner: readTypedOwners(reader),
    delegatorRewardsOwner: readTypedOwners(reader),
  };
}

function readSigner(reader: ByteReader): ProofOfPossession | null {
  const type = reader.u32('type of a signer');
  if (type === 27) return null;
  return type === 28 ? readProof(reader) : reader.refuse(`a signer of type 27 or 28, not ${type}`, 4);
}

function readProof(reader: ByteReader): ProofOfPossession {
  return { publicKey: reader.take(48, 'BLS public key'), proof: reader.take(96, 'proof of possession') };
}

export function readTypedOwners(reader: ByteReader): OutputOwners {
  const type = reader.u32('type of owners');
  return type === 11 ? readOwners(reader) : reader.refuse(`owners of type 11, not ${type}`, 4);
}

/** Which owners of a subnet or validator sign. */
export function readAuthorization(reader: ByteReader): void {
  const type = reader.u32('type of an authorization');
  if (type !== 10) reader.refuse(`an authorization of type 10, not ${type}`, 4);
  readSignatureIndices(reader);
}

export function readTransformation(reader: ByteReader): SubnetTransformation {
  return {
    assetId: readFrequentId(reader, 'asset id of a subnet'),
    initialSupply: reader.u64('initial supply'),
    maximumSupply: reader.u64('maximum supply'),
    minConsumptionRate: reader.u64('smallest consumption rate'),
    maxConsumptionRate: reader.u64('largest consumption rate'),
    minValidatorStake: reader.u64('smallest stake of a validator'),
    maxValidatorStake: reader.u64('largest stake of a validator'),
    minStakeDuration: reader.u32('shortest stake'),
    maxStakeDuration: reader.u32('longest stake'),
    minDelegationFee: reader.u32('smallest delegation fee'),
    minDelegatorStake: reader.u64('smallest stake of a delegator'),
    maxValidatorWeightFactor: reader.u8('largest weight factor'),
    uptimeRequirement: reader.u32('uptime requirement'),
  };
}

export const LEAST_L1_VALIDATOR = 4 + 8 + 8 + 48 + 96 + 8 + 8;

export function readL1Validator(reader: ByteReader, validationId: string): L1Validator {
  return {
    validationId,
    nodeId: nodeIdOf(reader.sized('node id')),
    weight: reader.u64('weight of a validator'),
    balance: reader.u64('balance of a validator'),
    signer: readProof(reader),
    remainingBalanceOwner: readPlainOwners(reader),
    deactivationOwner: readPlainOwners(reader),
  };
}
