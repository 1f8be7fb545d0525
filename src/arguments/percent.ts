import { badInput, quote } from '../errors.js';
import { optional, type Argument } from './argument.js';

/** A share has four decimals on the chain. */
const PERCENT = /^(?:100|\d{1,2})(?:\.\d{0,4})?$/;

/** A share in percent, 0 to 100 with up to four decimals; may be omitted. */
export function percentArgument(description: string): Argument<string | null> {
  return optional({
    type: 'Decimal',
    description,
    schema: { type: 'number', format: 'double', minimum: 0, maximum: 100 },
    read: (name, value) => {
      const text = String(value);
      if (!PERCENT.test(text) || Number(text) > 100)
        throw badInput(`${name}: ${quote(text)} is not a share: percent, 0 to 100 with up to four decimals`);
      return text;
    },
  });
}
