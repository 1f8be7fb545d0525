import { useContext } from 'preact/hooks';
import { Copy } from './copy.js';
import { AmongFacts } from './facts.js';
import { Name } from './text.js';

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
  const whole = BigInt(digits.slice(0, end)).toLocaleString('en');
  const rest = digits.slice(end).replace(/0+$/, '');
  return rest ? `${whole}.${rest}` : whole;
}

/** A decimal number with as much of its fraction as is read; an ellipsis where something is cut. */
export function shortDecimal(decimal: string): string {
  const [whole = '', rest = ''] = decimal.split('.');
  // Below one the first digits that say something.
  const kept = whole === '0' ? (/^0*/.exec(rest)?.[0].length ?? 0) + 3 : 2;
  return rest.length > kept ? `${whole}.${rest.slice(0, kept)}…` : decimal;
}

/** An amount as a short text. */
export const amountText = (amount: string, { denomination }: AssetOfAmount) =>
  shortDecimal(decimalOf(amount, denomination));

/** More characters take the room of two columns of a card; still more may break between figure and unit. */
const [LONG, ENDLESS] = [16, 20];

/** The class of how much room an amount takes. */
const roomOf = (length: number) => (length > ENDLESS ? ' endless' : length > LONG ? ' long' : '');

/**
 * An amount in its denomination; exact and in smallest units on hover. Its button copies the exact number.
 * Among facts no digit is cut.
 */
export function Amount({ amount, asset }: { amount: string; asset: AssetOfAmount }) {
  const exact = useContext(AmongFacts);
  const decimal = decimalOf(amount, asset.denomination);
  const figure = exact ? decimal : shortDecimal(decimal);
  const [whole, rest] = figure.split('.');
  const unit = asset.symbol || asset.name;
  return (
    <span
      class={`amount${amount === '0' ? ' unknown' : ''}${roomOf(figure.length + 1 + unit.length)}`}
      title={`${amount} smallest units, ${asset.denomination} decimals: ${decimal}`}
    >
      {whole}
      {rest && <span class={whole === '0' ? undefined : 'fraction'}>.{rest}</span>}{' '}
      <span class="unit">
        <Name text={unit} />
      </span>
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
