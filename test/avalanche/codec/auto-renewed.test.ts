import { expect, test } from 'vitest';
import { encodeCb58 } from '../../../src/avalanche/cb58.js';
import { decodePTransaction } from '../../../src/avalanche/codec/p-transaction.js';
import { ZERO_ID } from '../../../src/avalanche/codec/ids.js';
import { encodeOwners, u16, u32, u64 } from './encode.js';

/*
 * Helicon's transactions, made by hand after avalanchego's vms/platformvm/txs of 1.15.0-fuji: no recorded
 * network has them.
 */

const owner = (byte: number) => ({ locktime: 0n, threshold: 1, addresses: [new Uint8Array(20).fill(byte)] });
const typedOwner = (byte: number) => Buffer.concat([u32(11), encodeOwners(owner(byte))]);
const base = Buffer.concat([u32(5), Buffer.alloc(32), u32(0), u32(0), u32(0)]);
const transaction = (type: number, ...fields: Uint8Array[]) =>
  Buffer.concat([u16(0), u32(type), ...fields, u32(0)]);
const filled = (length: number, byte: number) => new Uint8Array(length).fill(byte);

test('40 adds a validator that renews itself, whose stake is its outputs', () => {
  const stake = Buffer.concat([u32(1), filled(32, 9), u32(7), u64(70n), encodeOwners(owner(3))]);
  const bytes = transaction(
    40,
    base,
    Buffer.concat([u32(20), filled(20, 1)]),
    Buffer.concat([u32(28), filled(48, 4), filled(96, 5)]),
    stake,
    typedOwner(6),
    typedOwner(7),
    typedOwner(8),
    Buffer.concat([u32(20_000), u32(300_000), u64(86_400n)]),
  );
  expect(decodePTransaction(bytes)).toMatchObject({
    type: 'AddAutoRenewedValidatorTx',
    nodeId: `NodeID-${encodeCb58(filled(20, 1))}`,
    signer: { publicKey: filled(48, 4), proof: filled(96, 5) },
    outputs: [{ role: 'stake', outputIndex: 0, output: { amount: 70n, owners: owner(3) } }],
    validatorRewardsOwner: owner(6),
    delegatorRewardsOwner: owner(7),
    configOwner: owner(8),
    delegationShares: 20_000,
    weight: 70n,
    autoCompoundRewardShares: 300_000,
    period: 86_400n,
  });
});

test('41 changes how it renews itself', () => {
  const bytes = transaction(
    41,
    base,
    filled(32, 0),
    Buffer.concat([u32(10), u32(1), u32(0)]),
    Buffer.concat([u32(1_000_000), u64(0n)]),
  );
  expect(decodePTransaction(bytes)).toMatchObject({
    type: 'SetAutoRenewedValidatorConfigTx',
    stakingTxId: ZERO_ID,
    autoCompoundRewardShares: 1_000_000,
    period: 0n,
  });
});

test('42 ends one of its periods, without a base', () => {
  expect(decodePTransaction(transaction(42, filled(32, 0), u64(1_800_000_000n)))).toMatchObject({
    type: 'RewardAutoRenewedValidatorTx',
    base: null,
    stakingTxId: ZERO_ID,
    time: 1_800_000_000n,
  });
});
