import { addressBytes } from '../../avalanche/address.js';
import type { OutputOwners } from '../../avalanche/codec/types.js';
import type { Caller } from './caller.js';
import { answerBytes, oneCall } from './question.js';
import { AnswerReader } from './answer-reader.js';
import type { SubnetOf } from './state-answers.js';
import type { CallOptions } from './apis.js';

const path = '/ext/bc/P';
const read = new AnswerReader(path);

/** A staker of a subnet or of the primary network, with all that a node says of it. */
export interface StakerAnswer {
  /** Its transaction; of an L1 validator its validation id. */
  readonly id: string;
  readonly isL1: boolean;
  readonly nodeId: string;
  readonly weight: bigint;
  /** Unix seconds. */
  readonly start: number;
  /** Unix seconds; null for an L1 validator. */
  readonly end: number | null;
  readonly potentialReward: bigint;
  readonly delegateeReward: bigint;
  /** Of an L1 validator, nAVAX. */
  readonly balance: bigint;
  /** Who gets what is left of an L1 validator's balance; null for others. */
  readonly owner: OutputOwners | null;
  readonly delegatorCount: number;
  /** Only where nodes were named. */
  readonly delegators: readonly StakerAnswer[];
}

/** What a node says of the stakers of the P-chain, one by one: what its state begins with in the middle. */
export interface StakerApi {
  /** Ids of all subnets. */
  subnets(options?: CallOptions): Promise<readonly string[]>;
  /** The transaction that made a subnet elastic; an id of zeros for others. */
  transformation(subnetId: string, options?: CallOptions): Promise<string>;
  /** The validators of a subnet (default: primary network); of these nodes with their delegators. */
  stakers(
    options?: CallOptions & SubnetOf & { readonly nodeIds?: readonly string[] },
  ): Promise<readonly StakerAnswer[]>;
}

/** The same over a client. */
export function stakerApi(caller: Caller): StakerApi {
  const ask = async <T>(
    method: string,
    params: object,
    reading: (result: unknown) => T,
    options: CallOptions,
  ) =>
    (await caller.call(oneCall(path, `platform.${method}`, params, answerBytes.large, reading), options))
      .value;
  return {
    subnets: (options = {}) =>
      ask(
        'getSubnets',
        {},
        (result) => read.list(read.member(result, 'subnets')).map((one) => read.text(read.member(one, 'id'))),
        options,
      ),
    transformation: (subnetId, options = {}) =>
      ask(
        'getSubnet',
        { subnetID: subnetId },
        (result) => read.text(read.member(result, 'subnetTransformationTxID')),
        options,
      ),
    stakers: ({
      subnetId,
      nodeIds,
      ...options
    }: CallOptions & SubnetOf & { nodeIds?: readonly string[] } = {}) =>
      ask(
        'getCurrentValidators',
        { ...(subnetId !== undefined && { subnetID: subnetId }), ...(nodeIds && { nodeIDs: nodeIds }) },
        (result) => read.list(read.member(result, 'validators')).map(stakerOf),
        options,
      ),
  };
}

function stakerOf(value: unknown): StakerAnswer {
  const validationId = read.member(value, 'validationID');
  const amount = (name: string) => read.wholeOrNull(read.member(value, name)) ?? 0n;
  const end = read.wholeOrNull(read.member(value, 'endTime'));
  const owner = read.member(value, 'remainingBalanceOwner');
  const delegators = read.member(value, 'delegators');
  return {
    id: read.text(validationId ?? read.member(value, 'txID')),
    isL1: validationId !== undefined,
    nodeId: read.text(read.member(value, 'nodeID')),
    weight: read.whole(read.member(value, 'weight')),
    start: Number(read.whole(read.member(value, 'startTime'))),
    end: end === null ? null : Number(end),
    potentialReward: amount('potentialReward'),
    delegateeReward: amount('accruedDelegateeReward'),
    balance: amount('balance'),
    owner: owner === undefined || owner === null ? null : ownerOf(owner),
    delegatorCount: Number(amount('delegatorCount')),
    delegators: delegators === undefined || delegators === null ? [] : read.list(delegators).map(stakerOf),
  };
}

const ownerOf = (value: unknown): OutputOwners => ({
  locktime: read.whole(read.member(value, 'locktime')),
  threshold: Number(read.whole(read.member(value, 'threshold'))),
  addresses: read.list(read.member(value, 'addresses')).map((address) => {
    const bytes = addressOf(read.text(address));
    if (bytes === null) throw read.unreadable('an address was expected');
    return bytes;
  }),
});

function addressOf(text: string): Uint8Array | null {
  try {
    return addressBytes(text.replace(/^P-/, ''));
  } catch {
    return null;
  }
}
