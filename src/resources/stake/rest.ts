import { objectSchema, objectSchemas } from '../../fields/object-schema.js';
import type { JsonSchemas } from '../../fields/json-schema.js';
import { defineListRoute } from '../../rest/list-route.js';
import { pageArguments } from '../../rest/parameter.js';
import { detailObjects } from '../transaction/details.js';
import { nodeIdArgument } from '../validator/arguments.js';
import { delegatorStakeArguments, publishedStakeArguments } from './arguments.js';
import { healthObject, stakeObjects } from './details.js';
import { delegatorStakeFields, publishedValidatorFields } from './fields.js';

/** As in the sample. */
const validatorExample = {
  txHash: '2MAXTxgocuu9nVVwbz53cLXBeKjw2oynFavBTgpQsX6ufuCk2X',
  nodeId: 'NodeID-NoAewJdewdCHC8jeD7PxhgjXeZncbYtqW',
  subnetId: '11111111111111111111111111111111LpoYY',
  amountStaked: '25316361515',
  delegationFee: '14',
  startTimestamp: 1793097630,
  endTimestamp: 1819190430,
  blsCredentials: {
    publicKey:
      '0x45e35a744f6cf549aafde37eab364561e10a15242cbd02cbcd4e5b601d29075edad9ed4d031a38463a82f5fe7674ce22',
    proofOfPossession:
      '0xc7a7f96cdc2f5b89fbc4685e37a5de4238e878bfb1bab9dbd0821a20b9d067c36ce03270e8e8b4c28a926a0c739315ec4937aed0b4b007e13935e8046932e3c223aedf2f264f77f2b5e31928cf82aa2f646d31f661cc280f228bc7182b26db51',
  },
  validationStatus: 'active',
  stakePercentage: 0.380615,
  delegatorCount: 0,
  amountDelegated: '0',
  delegationCapacity: '101265446060',
  potentialRewards: {
    validationRewardAmount: '1675735052',
    delegationRewardAmount: '0',
    rewardAddresses: ['fuji19c355fjzrr5s48w4tvfxvkntqn4fyagzv86ugq'],
  },
  uptimePerformance: 0,
  validatorHealth: {
    reachabilityPercent: 0,
    benchedPChainRequestsPercent: 0,
    benchedXChainRequestsPercent: 0,
    benchedCChainRequestsPercent: 0,
  },
  geolocation: null,
};
const delegatorExample = {
  txHash: '2tDsXd6HNTxa4i2EieBB6JM1Qad96aPRJfRHkdCLWXnoPxHaWg',
  nodeId: 'NodeID-HhYN818781SvNUVENccUhmAACoKLAkgqk',
  rewardAddresses: ['fuji1rh4rsdwnh5t3eqgnyhzyxw9zpvuxfa5lhw07vm'],
  amountDelegated: '6682021360',
  delegationFee: '11',
  startTimestamp: 1791635544,
  endTimestamp: 1793449944,
  delegationStatus: 'active',
  estimatedGrossReward: '30755605',
  estimatedNetReward: '27372488',
};

const schemas: JsonSchemas = {
  ...objectSchemas({ BlsCredentials: detailObjects.BlsCredentials, ...stakeObjects, ...healthObject }),
  ValidatorStake: objectSchema(
    'A stake of a validator. Members that do not apply to its validationStatus are left out.',
    publishedValidatorFields,
  ),
  DelegatorStake: objectSchema(
    'A stake of a delegator. Members that do not apply to its delegationStatus are left out.',
    delegatorStakeFields,
  ),
};
const validators = {
  name: 'validators',
  words: 'stakes of validators',
  schema: 'ValidatorStake',
  page: 'ValidatorPage',
};

const { network, sortBy, sortOrder, ...filters } = publishedStakeArguments;

export const stakeRoutes = [
  defineListRoute({
    operation: 'ListValidators',
    path: '/v1/networks/{network}/validators',
    summary: 'List validators',
    description:
      'The stakes of validators of now and of the past, the newest first unless sortBy or sortOrder says otherwise.',
    parameters: { network, ...filters, ...pageArguments, sortBy, sortOrder },
    field: 'validatorStakes',
    rows: validators,
    schemas,
    example: { validators: [validatorExample] },
  }),
  defineListRoute({
    operation: 'GetValidator',
    path: '/v1/networks/{network}/validators/{nodeId}',
    summary: 'Get the stakes of a validator',
    description: 'The stakes of a node of now and of the past, in the primary network and in subnets.',
    parameters: {
      network,
      nodeId: { ...nodeIdArgument, example: validatorExample.nodeId },
      validationStatus: filters.validationStatus,
      ...pageArguments,
      sortOrder,
    },
    field: 'validatorStakes',
    rows: validators,
    schemas,
    example: { validators: [validatorExample] },
  }),
  defineListRoute({
    operation: 'ListDelegators',
    path: '/v1/networks/{network}/delegators',
    summary: 'List delegators',
    description:
      'The stakes of delegators of now and of the past, the newest first unless sortOrder says otherwise.',
    parameters: { ...delegatorStakeArguments, ...pageArguments },
    field: 'delegatorStakes',
    rows: {
      name: 'delegators',
      words: 'stakes of delegators',
      schema: 'DelegatorStake',
      page: 'DelegatorPage',
    },
    schemas,
    example: { delegators: [delegatorExample] },
  }),
];
