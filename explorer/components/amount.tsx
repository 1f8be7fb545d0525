import { Copy, Name } from './text.js';

/** What of an asset an amount needs to be read. */
export interface AssetOfAmount {
  denomination: number;
  symbol: string;
  name: string;
}

/** Of amounts that the graph gives in nAVAX. */
export const AVAX: AssetOfAmount = { denomination: 9, symbol: 'AVAX', name: 'Avalanche' };

/** The exact decimal number of an amount of smallest units, grouped by thousands. */
export function decimalOf(amount: string, denomination: number): string {
  const digits = amount.padStart(denomination + 1, '0');
  const end = digits.length - denomination;
  const whole = BigInt(digits.slice(0, end)).toLocaleString('en-US');
  const rest = digits.slice(end).replace(/0+$/, '');
  return rest ? `${whole}.${rest}` : whole;
}

/** An amount in its denomination; in smallest units on hover. Its button copies the exact number. */
export function Amount({ amount, asset }: { amount: string; asset: AssetOfAmount }) {
  const decimal = decimalOf(amount, asset.denomination);
  return (
    <span class="amount" title={`${amount} smallest units, ${asset.denomination} decimals`}>
      {decimal} <Name text={asset.symbol || asset.name} />
      <Copy text={decimal.replaceAll(',', '')} />
    </span>
  );
}

/** An amount of nAVAX, or that it is not known. */
export const OfAvax = ({ amount }: { amount: string | number | null | undefined }) =>
  amount === null || amount === undefined ? (
    <span>not known</span>
  ) : (
    <Amount amount={String(amount)} asset={AVAX} />
  );
