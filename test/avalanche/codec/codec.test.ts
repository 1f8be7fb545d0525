import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { transactionTypes } from '../../../src/avalanche/chain/transactions.js';
import { decodePBlock, decodeXBlock } from '../../../src/avalanche/codec/block.js';
import {
  decodeAtomicTransaction,
  decodeAtomicTransactions,
  extDataHash,
} from '../../../src/avalanche/codec/c-transaction.js';
import { decodeUtxo } from '../../../src/avalanche/codec/outputs.js';
import { decodePTransaction } from '../../../src/avalanche/codec/p-transaction.js';
import { CodecError } from '../../../src/avalanche/codec/reader.js';
import { decodeVertex } from '../../../src/avalanche/codec/vertex.js';
import { decodeXTransaction } from '../../../src/avalanche/codec/x-transaction.js';
import { encodeUtxo, u32 } from './encode.js';

/** What reads each kind of object, and the id in what it gives. */
const decoders = {
  pBlock: (bytes: Uint8Array) => decodePBlock(bytes).id,
  pTransaction: (bytes: Uint8Array) => decodePTransaction(bytes).id,
  xBlock: (bytes: Uint8Array) => decodeXBlock(bytes).id,
  xTransaction: (bytes: Uint8Array) => decodeXTransaction(bytes).id,
  vertex: (bytes: Uint8Array) => decodeVertex(bytes).id,
  atomicTransaction: (bytes: Uint8Array) => decodeAtomicTransaction(bytes).id,
  batch: (bytes: Uint8Array) =>
    decodeAtomicTransactions(bytes, true)
      .map(({ id }) => id)
      .join(' '),
  utxo: (bytes: Uint8Array) => decodeUtxo(bytes).utxoId,
};

interface Fixture {
  kind: keyof typeof decoders;
  name: string;
  /** As the node gave it. */
  id: string;
  base64: string;
}

/** One small object of each type out of recorded networks (../shared/node). */
const fixtures = JSON.parse(readFileSync(new URL('fixtures.json', import.meta.url), 'utf8')) as Fixture[];
const bytesOf = ({ base64 }: Fixture) => new Uint8Array(Buffer.from(base64, 'base64'));
const fixture = (name: string) => fixtures.find((each) => each.name === name) as Fixture;

/** What decoding gives: an id, or the error of the codec. Any other error fails the test. */
function attempt({ kind }: Fixture, bytes: Uint8Array): string | CodecError {
  try {
    return decoders[kind](bytes);
  } catch (error) {
    if (error instanceof CodecError) return error;
    throw error;
  }
}

test.each(fixtures)('$kind $name has the id that the node gave', (each) => {
  expect(decoders[each.kind](bytesOf(each))).toBe(each.id);
});

test.each(fixtures)(
  'every prefix of $kind $name, and one byte more, is a CodecError with its position',
  (each) => {
    const bytes = bytesOf(each);
    // Without any bytes a block has no atomic transactions.
    for (let length = each.kind === 'batch' ? 1 : 0; length < bytes.length; length += 1) {
      const error = attempt(each, bytes.subarray(0, length));
      expect(error).toBeInstanceOf(CodecError);
      expect((error as CodecError).offset).toBeLessThanOrEqual(length);
    }
    const longer = attempt(each, Buffer.concat([bytes, Buffer.alloc(1)]));
    expect(longer).toMatchObject({ offset: bytes.length });
  },
);

test('bytes of every type of transactions are read here: recorded ones, or written by hand where no network has it', () => {
  const tests = readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
    .join('\n');
  const recorded = new Set(fixtures.map(({ name }) => name.split(' ')[0]));
  const isRead = (type: string) => recorded.has(type) || tests.includes(`type: '${type}'`);
  expect(Object.keys(transactionTypes).filter((type) => type !== 'UNKNOWN' && !isRead(type))).toEqual([]);
});

test('property: changed bytes are another object or a CodecError', () => {
  const change = fc.record({ at: fc.nat(), to: fc.integer({ min: 1, max: 255 }), wide: fc.boolean() });
  fc.assert(
    fc.property(
      fc.constantFrom(...fixtures),
      fc.array(change, { minLength: 1, maxLength: 3 }),
      (each, changes) => {
        const bytes = bytesOf(each);
        for (const { at, to, wide } of changes) {
          const index = at % bytes.length;
          bytes[index] = (bytes[index] as number) ^ to;
          // Lengths: a false one is large.
          if (wide) bytes.fill(0xff, index, index + 4);
        }
        const outcome = attempt(each, bytes);
        if (outcome instanceof CodecError) expect(outcome.offset).toBeLessThanOrEqual(bytes.length);
      },
    ),
    { numRuns: 3000 },
  );
});

test('a transaction has the same id in its block, and gives its exact bytes', () => {
  const { transactions } = decodePBlock(bytesOf(fixture('Apricot standard')));
  expect(transactions.length).toBeGreaterThan(0);
  for (const { id, bytes } of transactions) expect(decodePTransaction(bytes).id).toBe(id);
});

test('the bytes of an output are those that a node gives for it', () => {
  for (const each of fixtures.filter(({ kind }) => kind === 'utxo')) {
    const utxo = decodeUtxo(bytesOf(each));
    expect(Buffer.from(utxo.bytes).toString('base64')).toBe(each.base64);
    expect(encodeUtxo(utxo).toString('base64')).toBe(each.base64);
  }
});

describe('what it refuses, it names with position and expectation', () => {
  const utxo = bytesOf(fixture('transfer'));

  test('a list that cannot fit what is left', () => {
    const bytes = Buffer.concat([utxo.subarray(0, 94), u32(0xffffffff), utxo.subarray(98)]);
    expect(() => decodeUtxo(bytes)).toThrow('at byte 94: expected at most 1 addresses, not 4294967295');
  });

  test('an unknown type', () => {
    const bytes = Buffer.concat([utxo.subarray(0, 70), u32(99), utxo.subarray(74)]);
    expect(() => decodeUtxo(bytes)).toThrow(
      'at byte 70: expected an output of type 6, 7, 10, 11, 15, 16, 22, not 99',
    );
    expect(() => decodePTransaction(Buffer.concat([Buffer.alloc(2), u32(99)]))).toThrow(
      'at byte 2: expected a type of a P-chain transaction that is known, not 99',
    );
    expect(() => decodePBlock(Buffer.concat([Buffer.alloc(2), u32(33)]))).toThrow('at byte 2');
  });

  test('another codec version', () => {
    expect(() => decodeUtxo(Buffer.concat([Buffer.of(0, 1), utxo.subarray(2)]))).toThrow(
      'at byte 0: expected codec version 0 of an output',
    );
  });

  test('locks in locks, however deep', () => {
    const lock = Buffer.concat([u32(22), Buffer.alloc(8)]);
    const nested = Array.from({ length: 10_000 }, () => lock);
    expect(() => decodeUtxo(Buffer.concat([utxo.subarray(0, 70), ...nested, utxo.subarray(70)]))).toThrow(
      'at byte 82: expected a transfer output (type 7) in a stakeable one',
    );
  });

  test('a payload of an NFT that no node accepts', () => {
    const nft = Buffer.concat([utxo.subarray(0, 70), u32(11), u32(1), u32(1025), Buffer.alloc(1025 + 16)]);
    expect(() => decodeUtxo(nft)).toThrow('at byte 78: expected a payload of at most 1024 bytes');
  });
});

test('the hash that a header commits to is keccak256 of the RLP of extData', () => {
  expect(extDataHash(new Uint8Array(0))).toBe(
    '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
  );
  expect(decodeAtomicTransactions(new Uint8Array(0), true)).toEqual([]);
  expect(decodeAtomicTransactions(new Uint8Array(0), false)).toEqual([]);
});
