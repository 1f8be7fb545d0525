import { digits, id, is, whole } from '../../fields/field.js';
import type { Details } from '../../fields/field.js';

const millionths = 'parts of a million';
/** The rules of a subnet that everybody may validate. */
export const transformation = {
  assetId: is(id, 'Id of the asset that is staked, CB58'),
  initialSupply: is(digits, 'What exists of the asset at first, in its smallest unit'),
  maximumSupply: is(digits, 'What may ever exist of it with rewards, in its smallest unit'),
  minConsumptionRate: is(
    whole,
    `Smallest share of what is left to the maximum that a year pays, ${millionths}`,
  ),
  maxConsumptionRate: is(
    whole,
    `Largest share of what is left to the maximum that a year pays, ${millionths}`,
  ),
  minValidatorStake: is(digits, 'Smallest stake of a validator, in the smallest unit'),
  maxValidatorStake: is(digits, 'Largest stake of a validator with its delegators, in the smallest unit'),
  minStakeDuration: is(whole, 'Shortest period of a stake, seconds'),
  maxStakeDuration: is(whole, 'Longest period of a stake, seconds'),
  minDelegationFee: is(
    whole,
    `Smallest share that a validator keeps of its delegators' rewards, ${millionths}`,
  ),
  minDelegatorStake: is(digits, 'Smallest stake of a delegator, in the smallest unit'),
  maxValidatorWeightFactor: is(
    whole,
    'How many times its own stake a validator may have with its delegators',
  ),
  uptimeRequirement: is(
    whole,
    `Share of its period that a validator has to be online for its reward, ${millionths}`,
  ),
} satisfies Details;
