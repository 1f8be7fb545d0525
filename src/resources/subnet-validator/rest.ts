import { ZERO_ID } from '../../avalanche/codec/ids.js';
import { digits, is, object, list as listOf, small, textOf } from '../../fields/field.js';
import { ref, object as objectSchemaOf, text } from '../../fields/json-schema.js';
import { objectSchema } from '../../fields/object-schema.js';
import { graphql } from '../../generated/graphql/gql.js';
import type { GetNetworkDetailsQuery } from '../../generated/graphql/graphql.js';
import { defineRoute } from '../../rest/route.js';
import { shapeText, type Shape } from '../../rest/shape.js';
import { currentValidatorArguments } from './arguments.js';

const getNetworkDetails = graphql(`
  query GetNetworkDetails($network: Network!, $subnetId: String!) {
    subnet(network: $network, subnetId: $subnetId) {
      supply
      totals {
        activeValidators
        weight
        delegatedWeight
        delegatorCount
        potentialReward
      }
    }
  }
`);

type Subnet = NonNullable<GetNetworkDetailsQuery['subnet']>;
interface Details extends NonNullable<Subnet['totals']> {
  supply: string;
}

/** A part of a whole with six decimals. */
function ratio(part: bigint, whole: bigint): string {
  const millionths = whole === 0n ? 0n : (part * 1_000_000n) / whole;
  return `${millionths / 1_000_000n}.${String(millionths % 1_000_000n).padStart(6, '0')}`;
}

const validatorShape: Shape<Details> = {
  validatorCount: {
    ...is(small, 'Number of validators that stake'),
    of: (totals) => totals.activeValidators,
  },
  totalAmountStaked: {
    ...is(digits, 'What they stake themselves, nAVAX'),
    of: ({ weight, delegatedWeight }) => BigInt(weight) - BigInt(delegatedWeight),
  },
  estimatedAnnualStakingReward: {
    ...is(digits, 'What all stakes of now are paid at their ends if they are rewarded, nAVAX'),
    of: (totals) => totals.potentialReward,
  },
  stakingDistributionByVersion: {
    ...is(
      listOf('StakingDistribution', ref('StakingDistribution')),
      'Always empty: no node is asked for the versions of others',
    ),
    of: () => '[]',
  },
  stakingRatio: {
    ...is(
      textOf({ pattern: '^[0-9]+[.][0-9]{6}$' }),
      'What is staked and delegated, as a part of the supply: 0 to 1',
    ),
    of: ({ weight, supply }) => ratio(BigInt(weight), BigInt(supply)),
  },
};

const delegatorShape: Shape<Details> = {
  delegatorCount: { ...is(small, 'Number of delegations that stake'), of: (totals) => totals.delegatorCount },
  totalAmountStaked: { ...is(digits, 'What they stake, nAVAX'), of: (totals) => totals.delegatedWeight },
};

const detailsShape: Shape<Details> = {
  validatorDetails: {
    ...is(object('ValidatorTotals'), 'The validators of the primary network'),
    of: (totals) => shapeText(validatorShape, totals),
  },
  delegatorDetails: {
    ...is(object('DelegatorTotals'), 'Their delegators'),
    of: (totals) => shapeText(delegatorShape, totals),
  },
};

/** As in the sample. */
const example = {
  validatorDetails: {
    validatorCount: 23,
    totalAmountStaked: '6609147177615',
    estimatedAnnualStakingReward: '318450445281',
    stakingDistributionByVersion: [],
    stakingRatio: '0.000014',
  },
  delegatorDetails: { delegatorCount: 6, totalAmountStaked: '42281354447' },
};

export const networkRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/networks/{network}',
    summary: 'Get details of a network',
    description: 'Sums over the validators and delegators of the primary network.',
    parameters: { network: currentValidatorArguments.network },
    document: getNetworkDetails,
    variables: ({ network }) => ({ network, subnetId: ZERO_ID }),
    values: ({ network }) => ({ network, subnetId: ZERO_ID }),
    reply: ({ subnet }) =>
      subnet?.totals ? shapeText(detailsShape, { ...subnet.totals, supply: subnet.supply ?? '0' }) : null,
    missing: ({ network }) => `the stakers of ${network} are not known: its P-chain is not followed here`,
    response: {
      description: 'The details.',
      schema: ref('NetworkDetails'),
      components: {
        ValidatorTotals: objectSchema('Sums over validators.', validatorShape),
        DelegatorTotals: objectSchema('Sums over delegators.', delegatorShape),
        NetworkDetails: objectSchema('Sums over who stakes on a network.', detailsShape),
        StakingDistribution: objectSchemaOf('The validators of a version.', {
          version: text('Version of the node.'),
          amountStaked: text('What they stake, nAVAX.'),
          validatorCount: small.schema,
        }),
      },
      example,
    },
  }),
];
