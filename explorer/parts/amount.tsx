import { Name } from './text.js';

/** What of an asset an amount needs to be read. */
export interface AssetOfAmount {
  denomination: number;
  symbol: string;
  name: string;
}

/** The exact decimal number of an amount of smallest units, grouped by thousands. */
export function decimalOf(amount: string, denomination: number): string {
  const digits = amount.padStart(denomination + 1, '0');
  const end = digits.length - denomination;
  const whole = BigInt(digits.slice(0, end)).toLocaleString('en-US');
  const rest = digits.slice(end).replace(/0+$/, '');
  return rest ? `${whole}.${rest}` : whole;
}

/** An amount in its denomination; in smallest units on hover. */
export function Amount({ amount, asset }: { amount: string; asset: AssetOfAmount }) {
  return (
    <span class="amount" title={`${amount} smallest units, ${asset.denomination} decimals`}>
      {decimalOf(amount, asset.denomination)} <Name text={asset.symbol || asset.name} />
    </span>
  );
}
