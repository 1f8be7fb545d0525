import { expect, test } from 'vitest';
import type { Utxo } from '../../../src/avalanche/codec/types.js';
import { OutputMemory } from '../../../src/follow/primary/output-memory.js';
import { madeOutput } from '../../../src/follow/staking/made-output.js';
import { idOf } from '../../harness/ledger-rows.js';

const KIB = 1024;
const txId = idOf('a transaction');
const owners = {
  locktime: 0n,
  threshold: 1,
  addresses: Array.from({ length: 40 }, () => new Uint8Array(20)),
};

/** An output of about a kibibyte. */
const output = (outputIndex: number): Utxo =>
  madeOutput({ txId, outputIndex }, idOf('an asset'), BigInt(outputIndex), owners);

test('a remembered output is the output', () => {
  const memory = new OutputMemory(100 * KIB);
  memory.add(output(7));
  expect(memory.get(output(7).utxoId)).toEqual(output(7));
});

test('remembered outputs are bounded in bytes, and the least used goes first', () => {
  const memory = new OutputMemory(100 * KIB);
  const ids = Array.from({ length: 1000 }, (_, number) => output(number).utxoId);
  for (const number of ids.keys()) {
    memory.add(output(number));
    expect(memory.get(ids[0]!)).toBeDefined();
  }
  const kept = [...ids.keys()].filter((number) => memory.get(ids[number]!) !== undefined);
  expect(kept.length).toBeGreaterThan(50);
  expect(kept.length * output(0).bytes.length).toBeLessThanOrEqual(100 * KIB);
  expect(kept).toEqual([0, ...[...ids.keys()].slice(1 - kept.length)]);
});

test('one that is larger than all of the memory leaves nothing behind', () => {
  const memory = new OutputMemory(KIB);
  memory.add(output(1));
  expect(memory.get(output(1).utxoId)).toBeUndefined();
});
