import { addresses, digits, double, id, is, object } from '../../fields/field.js';
import type { Details, Field, Fields, Kind, NodeOf } from '../../fields/field.js';
import { isActive, uptime, uptimeOrNone } from './columns.js';

const rewardMembers = {
  validationRewardAmount: is(digits, 'For its own stake'),
  delegationRewardAmount: is(digits, 'Its share of the rewards of its delegators'),
  rewardAddresses: is(addresses, 'Addresses that are paid', 'where unknown'),
  rewardTxHash: is(
    id,
    'Hash of the transaction that ended the stake, CB58',
    'before it has ended, and for one that ended by itself',
  ),
} satisfies Details;
export const stakeObjects = {
  StakeRewards: {
    description: 'What a stake is paid, in the smallest unit of the asset.',
    fields: rewardMembers,
  },
};
export type StakeRewards = NodeOf<typeof rewardMembers>;

/** SQL of a value that only some stakes have. */
export const when = (condition: string, value: string) => `CASE WHEN ${condition} THEN ${value} END`;

const constant = (value: string, kind: Kind<unknown>, description: string): Field => ({
  sql: when(isActive, `'${value}'`),
  ...is(kind, description, 'when it is not active'),
});

const health = {
  reachabilityPercent: is(double, 'Always 0: not known'),
  benchedPChainRequestsPercent: is(double, 'Always 0: not known'),
  benchedXChainRequestsPercent: is(double, 'Always 0: not known'),
  benchedCChainRequestsPercent: is(double, 'Always 0: not known'),
} satisfies Details;
export const healthObject = {
  ValidatorHealth: { description: 'How a node answers, which nobody here knows.', fields: health },
};
const noHealth = JSON.stringify(Object.fromEntries(Object.keys(health).map((name) => [name, 0])));

/** What only the graph has of a validator's stake: REST has a number where it is not known. */
export const validatorStateFields = {
  uptimePercent: {
    sql: when(isActive, uptime),
    ...is(
      double,
      'How much of its period the followed node has seen it online, percent: as it said at most ten minutes before',
      'when it is not active, and where no node has said it',
    ),
  },
} satisfies Fields;

/** What the clients require and may not be known here (docs/contract.md): members of REST alone. */
export const published: Fields = {
  uptimePerformance: {
    sql: when(isActive, uptimeOrNone),
    ...is(
      double,
      'How much of its period the followed node has seen it online, percent; 0 where no node has said it',
      'when it is not active',
    ),
  },
  validatorHealth: constant(noHealth, object('ValidatorHealth'), 'Always zeros: not known'),
  geolocation: constant(
    'null',
    { form: 'json', type: 'Json', schema: { type: 'object', nullable: true } },
    'Always null: not known',
  ),
};
