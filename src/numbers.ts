const DECIMAL = /^\+?(\d+)(?:\.(\d*))?(?:e([+-]?\d+))?$/i;
const LARGEST_EXPONENT = 100;

/** Whole numbers beyond PostgreSQL's numeric(78,0) and the chains all count as too large. */
export const BEYOND_RANGE = 10n ** 80n;

/**
 * Reads a non-negative decimal number exactly and rounds it up to a whole one, because `amount >= 0.5` and
 * `amount >= 1` admit the same whole amounts. Accepts exponents: clients print large numbers as `1e+21`.
 *
 * @returns the whole number, BEYOND_RANGE when it is larger than any stored value, null when it is not a
 *   number
 */
export function ceilDecimal(text: string): bigint | null {
  const parsed = scale(text);
  if (parsed === null) return null;
  return parsed.whole >= BEYOND_RANGE ? BEYOND_RANGE : parsed.whole + (parsed.hasFraction ? 1n : 0n);
}

/** Reads a non-negative whole number exactly (`1e+21` and `5.0` are whole); null for anything else. */
export function wholeDecimal(text: string): bigint | null {
  const parsed = scale(text);
  if (parsed === null || parsed.hasFraction) return null;
  return parsed.whole >= BEYOND_RANGE ? BEYOND_RANGE : parsed.whole;
}

function scale(text: string): { whole: bigint; hasFraction: boolean } | null {
  const match = DECIMAL.exec(text);
  if (!match) return null;
  const [, integer = '', fraction = '', exponentText = '0'] = match;
  const digits = (integer + fraction).replace(/^0+/, '');
  if (digits === '') return { whole: 0n, hasFraction: false };
  const shift = Number(exponentText) - fraction.length;
  if (digits.length + shift > LARGEST_EXPONENT) return { whole: BEYOND_RANGE, hasFraction: false };
  if (shift >= 0) return { whole: BigInt(digits) * 10n ** BigInt(shift), hasFraction: false };
  const point = Math.max(0, digits.length + shift);
  return { whole: BigInt(digits.slice(0, point) || '0'), hasFraction: /[1-9]/.test(digits.slice(point)) };
}
