import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { evmHeaderHash, l1HeaderHash, type EvmHeader } from '../../../src/avalanche/codec/evm-header.js';
import { readReceipt, receiptsRoot } from '../../../src/avalanche/codec/evm-receipt.js';

interface Recorded {
  /** What the block is there for. */
  readonly why: string;
  readonly block: EvmHeader;
  readonly receipts: readonly { readonly type: string; readonly logs: readonly object[] }[];
}

/** Blocks of a chain of subnet-evm, from before Durango to Granite, as its node answered. */
const recorded = JSON.parse(
  readFileSync(new URL('subnet-evm.json', import.meta.url), 'utf8'),
) as readonly Recorded[];

/** What a node says of a block that is no part of its header. */
const others = new Set(['hash', 'size', 'totalDifficulty', 'transactions', 'uncles']);

describe.each(recorded)('a block of subnet-evm: $why', ({ block, receipts }) => {
  const members = Object.keys(block).filter((name) => !others.has(name));

  test('its header has the hash that the node gave', () => {
    expect(l1HeaderHash(block)).toBe(block['hash']);
  });

  test('one changed member is noticed, and one that is left out', () => {
    for (const name of members) {
      const text = block[name] as string;
      const changed = text.endsWith('1') ? `${text.slice(0, -1)}2` : `${text.slice(0, -1)}1`;
      // No bytes have no last digit.
      expect(l1HeaderHash({ ...block, [name]: text === '0x' ? '0x01' : changed }), name).not.toBe(
        block['hash'],
      );
    }
    for (const name of members.filter((each) => later.has(each)))
      if (!/^0x0*$/.test(block[name] as string))
        expect(l1HeaderHash({ ...block, [name]: undefined }), name).not.toBe(block['hash']);
  });

  test('it has not the form of the C-chain', () => {
    expect(() => evmHeaderHash(block)).toThrow('extDataHash of the header is not 32 bytes');
  });

  test('its receipts have the root that its header says, and one changed log is noticed', () => {
    expect(receiptsRoot(receipts.map(readReceipt))).toBe(block['receiptsRoot']);
    for (const [at, receipt] of receipts.entries())
      for (const [index, log] of receipt.logs.entries()) {
        const logs = receipt.logs.with(index, { ...log, data: '0x12' });
        const given = receipts.with(at, { ...receipt, logs });
        expect(receiptsRoot(given.map(readReceipt))).not.toBe(block['receiptsRoot']);
      }
  });
});

/** Members that came with forks. */
const later = new Set([
  'baseFeePerGas',
  'blockGasCost',
  'blobGasUsed',
  'excessBlobGas',
  'parentBeaconBlockRoot',
  'timestampMilliseconds',
  'minDelayExcess',
]);

test('the blocks are of every era, and their transactions of every type', () => {
  const forms = recorded.map(({ block }) => [...later].filter((name) => name in block).length);
  expect([...new Set(forms)]).toEqual([1, 2, 5, 7]);
  const types = new Set(recorded.flatMap(({ receipts }) => receipts.map(({ type }) => type)));
  expect(types).toEqual(new Set(['0x0', '0x1', '0x2']));
});
