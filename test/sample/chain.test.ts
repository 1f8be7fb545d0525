import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { decodeCb58 } from '../../src/avalanche/cb58.js';
import { parseAddress } from '../../src/avalanche/address.js';
import { utxoIdOf } from '../../src/avalanche/codec/ids.js';
import { blockchainIds } from '../../src/avalanche/networks.js';
import { sampleFiles } from '../../sample/index.js';
import type { UtxoLine } from '../../src/resources/utxo/import-row.js';
import { chains, readSample } from '../harness/sample.js';

const { files, utxosOf, allUtxos, allTransactions } = readSample();

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

describe('the sample as a whole', () => {
  test('is the same in every run', () => {
    const print = () => [...sampleFiles()].map(({ name, rows }) => [name, sha256(JSON.stringify([...rows]))]);
    expect(print()).toEqual([...files].map(([name, rows]) => [name, sha256(JSON.stringify(rows))]));
  });

  test('holds a few thousand outputs and more than 1,500 transactions', () => {
    expect(allUtxos.length).toBeGreaterThan(3_000);
    expect(allTransactions.length).toBeGreaterThan(1_500);
  });

  test('holds no null, no undefined and no number that JSON cannot carry, but for the nulls of a genesis', () => {
    const nullable = ['airdropAmount', 'baseFeePerGas', 'blobGasUsed', 'excessBlobGas'];
    const wrong: string[] = [];
    const walk = (value: unknown, path: string): void => {
      if (value === null && nullable.some((key) => path.endsWith(`genesisData.${key}`))) return;
      if (value === null || value === undefined) wrong.push(path);
      else if (typeof value === 'number' && !Number.isSafeInteger(value)) wrong.push(path);
      else if (typeof value === 'bigint') wrong.push(path);
      else if (typeof value === 'object')
        for (const [key, inner] of Object.entries(value)) walk(inner, `${path}.${key}`);
    };
    for (const [name, rows] of files) rows.forEach((row, index) => walk(row, `${name}[${index}]`));
    // JSON leaves undefined keys out, so such a key would only be an untidy row; null would be a wrong one.
    expect(wrong).toEqual([]);
  });
});

describe('outputs of the sample', () => {
  test('have unique ids that recompute from their transaction and index', () => {
    expect(new Set(allUtxos.map((row) => row.utxoId)).size).toBe(allUtxos.length);
    for (const row of allUtxos)
      expect(utxoIdOf(decodeCb58(row.txHash) ?? new Uint8Array(), Number(row.outputIndex))).toBe(row.utxoId);
  });

  test('carry their bytes, except those of NFT assets', () => {
    for (const row of allUtxos) expect(row.utxoBytes !== undefined).toBe(row.asset.type === 'secp256k1');
  });

  test('belong to valid fuji addresses, at least as many as the threshold', () => {
    for (const { addresses, threshold } of allUtxos) {
      expect(addresses.length).toBeGreaterThanOrEqual(threshold ?? Infinity);
      for (const address of addresses) expect(parseAddress('fuji', address)).toBe(address);
    }
  });

  test('lie in the file of the chain that created them', () => {
    for (const chain of chains)
      for (const row of utxosOf(chain)) expect(row.createdOnChainId).toBe(blockchainIds.fuji[chain]);
  });

  test('repeat their asset’s id and amount', () => {
    for (const row of allUtxos)
      expect([row.asset.assetId, row.asset.amount]).toEqual([row.assetId, row.amount]);
  });

  test('name no consumer while they are staked', () => {
    const staked = allUtxos.filter((row) => row.staked);
    expect(staked.length).toBeGreaterThan(5);
    for (const row of staked) expect(row).not.toHaveProperty('consumingTxHash');
  });

  test('include every special case that a reader may ask for', () => {
    const exported = allUtxos.filter((row) => row.createdOnChainId !== row.consumedOnChainId);
    const some = (test: (row: UtxoLine) => boolean) => allUtxos.some(test);
    expect(some((row) => row.threshold === 2 && row.addresses.length === 3)).toBe(true);
    expect(some((row) => (row.platformLocktime ?? 0) > 2 ** 32)).toBe(true);
    expect(some((row) => (row.stakeableLocktime ?? 0) > 2 ** 31)).toBe(true);
    expect(some((row) => row.utxoType === 'STAKE' && row.staked === true)).toBe(true);
    expect(some((row) => row.asset.type === 'nft')).toBe(true);
    expect(some((row) => BigInt(row.amount) > 2n ** 53n)).toBe(true);
    expect(exported.some((row) => row.consumingTxHash === undefined)).toBe(true);
    expect(new Set(exported.map((row) => `${row.createdOnChainId}>${row.consumedOnChainId}`)).size).toBe(6);
    expect(new Set(allUtxos.flatMap((row) => row.rewardType ?? []))).toEqual(
      new Set(['VALIDATOR', 'DELEGATOR', 'VALIDATOR_FEE']),
    );
  });

  test('give one address several hundred of them', () => {
    const counts = new Map<string, number>();
    for (const address of allUtxos.flatMap((row) => row.addresses))
      counts.set(address, (counts.get(address) ?? 0) + 1);
    expect(Math.max(...counts.values())).toBeGreaterThan(300);
  });
});
