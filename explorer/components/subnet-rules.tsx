import { assetPath } from '../paths.js';
import { Facts } from './facts.js';
import type { Found } from './stake-facts.js';
import { grouped, Id } from './text.js';

const DAY = 86_400;

const percentOf = (millionths: number | string) => `${Number(millionths) / 10_000} %`;
const daysOf = (seconds: number | string) => `${Number((Number(seconds) / DAY).toFixed(2))} days`;

/** The rules that a TransformSubnetTx gave a subnet. Amounts are in the smallest unit of what is staked. */
export const SubnetRules = ({
  of,
  network,
}: {
  of: NonNullable<Found['subnetTransformation']>;
  network: string;
}) => (
  <Facts
    facts={[
      ['Staked asset', <Id id={of.assetId} href={assetPath(network, of.assetId)} />],
      ['Supply at first', grouped(of.initialSupply)],
      ['Supply at most', grouped(of.maximumSupply)],
      [
        'Paid in a year',
        `${percentOf(of.minConsumptionRate)} to ${percentOf(of.maxConsumptionRate)} of what is left`,
      ],
      ['Stake of a validator', `${grouped(of.minValidatorStake)} to ${grouped(of.maxValidatorStake)}`],
      ['Stake of a delegator', `at least ${grouped(of.minDelegatorStake)}`],
      ['Period', `${daysOf(of.minStakeDuration)} to ${daysOf(of.maxStakeDuration)}`],
      ['Delegation fee', `at least ${percentOf(of.minDelegationFee)}`],
      ['With delegators', `at most ${of.maxValidatorWeightFactor} times its own stake`],
      ['Online for a reward', `at least ${percentOf(of.uptimeRequirement)} of the period`],
    ]}
  />
);
