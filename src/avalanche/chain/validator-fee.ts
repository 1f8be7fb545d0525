/*
 * What an L1 validator pays for each second (ACP-77; avalanchego vms/platformvm/validators/fee and
 * vms/components/gas). The price rises while more validators are active than the target, and falls while
 * there are fewer.
 */

/** The fee's constants of a network, as platform.getValidatorFeeConfig gives them. */
export interface ValidatorFeeConfig {
  /** Active validators at which the price stays. */
  readonly target: bigint;
  /** nAVAX a second, at least. */
  readonly minPrice: bigint;
  /** How slowly the price follows the excess. */
  readonly excessConversionConstant: bigint;
}

const UINT64_MAX = 2n ** 64n - 1n;

/** nAVAX a second at this excess: minPrice · e^(excess / constant), in the node's integer arithmetic. */
export function validatorPrice(
  { minPrice, excessConversionConstant: constant }: ValidatorFeeConfig,
  excess: bigint,
): bigint {
  let sum = 0n;
  let term = minPrice * constant;
  for (let i = 1n; term > 0n; i += 1n) {
    sum += term;
    if (sum >= constant * UINT64_MAX) return UINT64_MAX;
    term = (term * excess) / constant / i;
  }
  return sum / constant;
}

/**
 * What one validator pays while some are active.
 *
 * @param seconds whole seconds
 * @returns the cost in nAVAX, and the excess after the last of the seconds
 */
export function validatorCost(
  config: ValidatorFeeConfig,
  active: bigint,
  excess: bigint,
  seconds: bigint,
): { cost: bigint; excess: bigint } {
  const change = active - config.target;
  if (change === 0n) return { cost: validatorPrice(config, excess) * seconds, excess };
  let now = excess;
  let cost = 0n;
  for (let left = seconds; left > 0n; left -= 1n) {
    now = now + change > 0n ? now + change : 0n;
    // From here on the excess stays 0.
    if (now === 0n) return { cost: cost + config.minPrice * left, excess: 0n };
    cost += validatorPrice(config, now);
  }
  return { cost, excess: now };
}
