import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isPublicIp } from '../../src/outbound/ip.js';
import { parseTarget } from '../../src/outbound/target.js';

describe('an address of the public internet', () => {
  test.each([
    '93.184.215.14',
    '1.1.1.1',
    '::ffff:8.8.8.8',
    '2606:4700:4700::1111',
    '2a00:1450:4001:830::200e',
  ])('%s is public', (address) => expect(isPublicIp(address)).toBe(true));
});

describe('an IPv4 address', () => {
  const spellings: ((bytes: number[], whole: number) => string)[] = [
    (bytes) => bytes.join('.'),
    (_bytes, whole) => `${whole}`,
    (_bytes, whole) => `0x${whole.toString(16)}`,
    (_bytes, whole) => `0${whole.toString(8)}`,
    (bytes) => bytes.map((byte) => `0x${byte.toString(16)}`).join('.'),
    (bytes) => bytes.map((byte) => `0${byte.toString(8)}`).join('.'),
    ([first], whole) => `${first}.${whole % 2 ** 24}`,
    ([first, second], whole) => `${first}.0x${second!.toString(16)}.${whole % 2 ** 16}`,
    (bytes) => `${bytes.join('.')}.`,
    (bytes) => `[::ffff:${bytes.join('.')}]`,
  ];

  test('is judged the same however it is written', () => {
    fc.assert(
      fc.property(
        fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)),
        fc.constantFrom(...spellings),
        (bytes, spell) => {
          const whole = bytes.reduce((sum, byte) => sum * 256 + byte, 0);
          const host = parseTarget(`http://${spell(bytes, whole)}/`).hostname.replace(/^\[|\]$/g, '');
          expect(isPublicIp(host)).toBe(isPublicIp(bytes.join('.')));
          const [first, second] = bytes;
          if ([0, 10, 127].includes(first) || first >= 224) expect(isPublicIp(host)).toBe(false);
          if (first === 169 && second === 254) expect(isPublicIp(host)).toBe(false);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('is never public inside an IPv6 address that carries it elsewhere', () => {
    fc.assert(
      fc.property(
        fc.nat(0xffff),
        fc.nat(0xffff),
        fc.constantFrom(
          '64:ff9b::X',
          '64:ff9b:1::X',
          '2002:X::',
          '2002:X::1',
          '2001:0:X::',
          '::X',
          '::ffff:0:X',
        ),
        (high, low, form) => {
          const address = form.replace('X', `${high.toString(16)}:${low.toString(16)}`);
          expect(isPublicIp(address)).toBe(false);
        },
      ),
    );
  });
});
