import { expect, test } from 'vitest';
import type { Utxo } from '../../../src/avalanche/codec/types.js';
import { OutputMemory } from '../../../src/follow/primary/output-memory.js';

const KIB = 1024;

const output = (number: number): Utxo => ({
  txId: 'made by',
  outputIndex: number,
  utxoId: `output ${number}`,
  assetId: 'asset',
  output: {
    kind: 'transfer',
    amount: 1n,
    owners: { locktime: 0n, threshold: 1, addresses: [] },
    stakeableLocktime: null,
    group: null,
    payload: null,
  },
  bytes: new Uint8Array(KIB),
});

test('remembered outputs are bounded in bytes, and the least used goes first', () => {
  const memory = new OutputMemory(100 * KIB);
  for (let number = 0; number < 1000; number += 1) {
    memory.add(output(number));
    expect(memory.get('output 0')).toBeDefined();
  }
  const kept = Array.from({ length: 1000 }, (_, number) => number).filter(
    (number) => memory.get(`output ${number}`) !== undefined,
  );
  expect(kept.length).toBeGreaterThan(50);
  expect(kept.length * KIB).toBeLessThanOrEqual(100 * KIB);
  expect(kept).toEqual([
    0,
    ...Array.from({ length: kept.length - 1 }, (_, back) => 1000 - back - 1).reverse(),
  ]);
});

test('one that is larger than all of the memory leaves nothing behind', () => {
  const memory = new OutputMemory(KIB);
  memory.add(output(1));
  expect(memory.get('output 1')).toBeUndefined();
});
