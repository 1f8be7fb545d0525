import fc from 'fast-check';
import { getAddress } from 'viem/utils';
import { expect, test } from 'vitest';
import { parseEvmAddress } from '../../src/avalanche/evm.js';

const bytes = fc.uint8Array({ minLength: 20, maxLength: 20 });

test('an EVM address of any case is printed with the checksum that viem gives it', () => {
  fc.assert(
    fc.property(bytes, fc.boolean(), (given, upper) => {
      const digits = Buffer.from(given).toString('hex');
      const address = `0x${upper ? digits.toUpperCase() : digits}`;
      expect(parseEvmAddress(address)).toBe(getAddress(`0x${digits}`));
    }),
    { numRuns: 500 },
  );
});

test.each(['', '0x', `0x${'g'.repeat(40)}`, `0x${'a'.repeat(39)}`, `0x${'a'.repeat(41)}`, 'a'.repeat(40)])(
  '%j is none',
  (text) => expect(parseEvmAddress(text)).toBeNull(),
);
