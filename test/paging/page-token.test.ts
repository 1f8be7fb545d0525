import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTokenCodec, digestQuery, TOKEN_LIFETIME_SECONDS } from '../../src/paging/token.js';

const secret = Buffer.from('a secret of an installation, 32 b');
const start = Date.UTC(2026, 0, 1);
const clock = { now: start };
const codec = createTokenCodec(secret, 'installation', () => clock.now);
const query = digestQuery('utxos', { network: 'mainnet', blockchainId: 'p' });
const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const position = fc.bigInt({ min: 0n, max: 2n ** 62n - 1n });

describe('a page token', () => {
  test('is a v4 UUID that stands for its position', () => {
    fc.assert(
      fc.property(position, (row) => {
        const token = codec.issue(query, row);
        expect(token).toMatch(uuidV4);
        expect(codec.read(query, token, 'after')).toBe(row);
        expect(codec.read(query, token.toUpperCase(), 'after')).toBe(row);
      }),
    );
  });

  test('is the same whenever it is issued within an hour, by whatever process, and another one in the next', () => {
    const other = createTokenCodec(secret, 'installation', () => clock.now + 3_599_000);
    const later = createTokenCodec(secret, 'installation', () => clock.now + 3_600_000);
    fc.assert(
      fc.property(position, (row) => {
        expect(other.issue(query, row)).toBe(codec.issue(query, row));
        expect(later.issue(query, row)).not.toBe(codec.issue(query, row));
      }),
    );
    expect(
      new Set(Array.from({ length: 10_000 }, (_none, row) => codec.issue(query, BigInt(row)))).size,
    ).toBe(10_000);
  });

  test('is valid as long when the count of hours begins again, in 2089', () => {
    const begins = 2 ** 20 * 3_600_000;
    const at = (hours: number) => createTokenCodec(secret, 'installation', () => begins + hours * 3_600_000);
    const token = at(-1).issue(query, 2n ** 62n - 1n);
    expect(at(23).read(query, token, 'after')).toBe(2n ** 62n - 1n);
    expect(() => at(24).read(query, token, 'after')).toThrow('has expired');
    expect(() => at(-1).read(query, at(1).issue(query, 1n), 'after')).toThrow('7200 seconds ahead');
  });

  test('is of no query but its own, to which an argument that is not given adds nothing', () => {
    const same = digestQuery('utxos', {
      blockchainId: 'p',
      later: null,
      network: 'mainnet',
      never: undefined,
    });
    expect(codec.read(same, codec.issue(query, 5n), 'after')).toBe(5n);
    const values = fc.dictionary(
      fc.constantFrom('a', 'b', 'c'),
      fc.constantFrom('x', 'y', ['x', 'y'], 1, 1n, null),
    );
    const digestOf = (given: object) =>
      Object.entries(given)
        .filter(([, value]) => value !== null)
        .map(([name, value]) => [name, Array.isArray(value) ? value : String(value)])
        .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
    fc.assert(
      fc.property(values, values, (one, two) => {
        const equal = digestQuery('list', one).equals(digestQuery('list', two));
        expect(equal).toBe(JSON.stringify(digestOf(one)) === JSON.stringify(digestOf(two)));
      }),
    );
  });

  test('is refused for another query, by another installation and after any change of a bit', () => {
    const other = digestQuery('utxos', { network: 'mainnet', blockchainId: 'x' });
    const elsewhere = createTokenCodec(secret, 'another installation', () => clock.now);
    const foreign = createTokenCodec(randomBytes(32), 'installation', () => clock.now);
    fc.assert(
      fc.property(position, fc.nat(31), fc.integer({ min: 1, max: 15 }), (row, index, change) => {
        const token = codec.issue(query, row);
        expect(() => codec.read(other, token, 'after')).toThrow('was not issued here for this list');
        expect(() => elsewhere.read(query, token, 'after')).toThrow('was not issued here');
        expect(() => foreign.read(query, token, 'after')).toThrow('was not issued here');
        const changed = changeDigit(token, index, change);
        expect(() => codec.read(query, changed, 'after')).toThrow(/was not issued here|is not a page token/);
      }),
    );
  });

  test('survives a restart, and is read by other processes of the same database', () => {
    const restarted = createTokenCodec(Buffer.from(secret), 'installation', () => clock.now);
    expect(restarted.read(query, codec.issue(query, 123n), 'after')).toBe(123n);
    expect(codec.read(query, restarted.issue(query, 456n), 'after')).toBe(456n);
  });

  test('is valid for 24 hours, rounded up to the hour', () => {
    clock.now = start + 1_800_000;
    const token = codec.issue(query, 1n);
    clock.now = start + TOKEN_LIFETIME_SECONDS * 1000 + 3_599_000;
    expect(codec.read(query, token, 'after')).toBe(1n);
    clock.now += 1000;
    expect(() => codec.read(query, token, 'after')).toThrow('has expired');
    clock.now = start;
  });

  test('of a clock that is minutes ahead is read, and of one further ahead refused for what it is', () => {
    clock.now = start + 3_600_000;
    const nextHour = codec.issue(query, 1n);
    clock.now = start + 3_300_000;
    expect(codec.read(query, nextHour, 'after')).toBe(1n);
    clock.now = start;
    const read = () => codec.read(query, nextHour, 'after');
    expect(read).toThrow(
      'was issued 3600 seconds ahead of the clock of this gateway: two clocks differ; start again',
    );
    expect(read).not.toThrow('expired');
  });

  test.each([
    'abc',
    '',
    '8736fc81-05b7-168b-9a7f-c0556f501f3f',
    '8736fc81-05b7-468b-1a7f-c0556f501f3f',
    `${'a'.repeat(5000)}`,
  ])('is refused when it is no v4 UUID: %s', (text) => {
    expect(() => codec.read(query, text, 'pageToken')).toThrow(/^pageToken: .* is not a page token/);
  });

  test('cannot be issued for a position that does not fit', () => {
    expect(() => codec.issue(query, 2n ** 62n)).toThrow(RangeError);
    expect(() => codec.issue(query, -1n)).toThrow(RangeError);
  });
});

function changeDigit(token: string, index: number, change: number): string {
  const digits = token.replaceAll('-', '').split('');
  digits[index] = (parseInt(digits[index] ?? '0', 16) ^ change).toString(16);
  return digits.join('').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
