import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { evmHeaderHash, type EvmHeader } from '../../../src/avalanche/codec/evm-header.js';
import { MemberError } from '../../../src/avalanche/codec/evm-members.js';

/** One header of each shape out of recorded networks (../shared/node), from Apricot 3 to Granite. */
const headers = JSON.parse(readFileSync(new URL('headers.json', import.meta.url), 'utf8')) as EvmHeader[];

test.each(headers)('header $number has the hash that the node gave', (header) => {
  expect(evmHeaderHash(header)).toBe(header['hash']);
});

test('every member counts, and null is as good as none', () => {
  const header = headers.at(-1) as EvmHeader;
  const hash = evmHeaderHash(header);
  const ignored = new Set(['hash', 'totalDifficulty']);
  for (const name of Object.keys(header).filter((each) => !ignored.has(each))) {
    const text = header[name] as string;
    const changed = text.endsWith('1') ? `${text.slice(0, -1)}2` : `${text.slice(0, -1)}1`;
    expect(evmHeaderHash({ ...header, [name]: changed })).not.toBe(hash);
  }
  expect(evmHeaderHash({ ...header, targetExponent: null, hash: '0x' })).toBe(hash);
  // A later member makes those before it part of the hash.
  expect(evmHeaderHash({ ...header, settledExcess: '0x0' })).not.toBe(hash);
});

test('a member that is missing or has another length is named', () => {
  const header = headers[0] as EvmHeader;
  const without = { ...header, extDataHash: undefined };
  expect(() => evmHeaderHash(without)).toThrow(MemberError);
  expect(() => evmHeaderHash(without)).toThrow(
    'extDataHash of the header is not 32 bytes in hexadecimal digits',
  );
  expect(() => evmHeaderHash({ ...header, number: 5 })).toThrow('number of the header is not a whole number');
  expect(() => evmHeaderHash({ ...header, extraData: '0x0' })).toThrow(
    'extraData of the header is not whole bytes',
  );
});
