import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { addressBytes } from '../../src/avalanche/address.js';
import { decodeCb58 } from '../../src/avalanche/cb58.js';
import { nodeIdOf, utxoIdOf } from '../../src/avalanche/codec/ids.js';
import { utxoBytes } from '../../sample/utxo-bytes.js';

interface Row {
  utxoId: string;
  utxoBytes?: string;
  txHash: string;
  outputIndex: number;
  assetId: string;
  amount: string;
  platformLocktime: number;
  stakeableLocktime?: number;
  threshold: number;
  addresses: string[];
}

const folder = new URL('../../../shared/data/', import.meta.url);

function realRows(): Row[] {
  return ['p', 'x'].flatMap((chain) =>
    gunzipSync(readFileSync(new URL(`mainnet.${chain}-chain.utxos.ndjson.gz`, folder)))
      .toString()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Row),
  );
}

function bytesOf(text: string): Uint8Array {
  const bytes = decodeCb58(text);
  if (!bytes) throw new Error(`${text} is not CB58.`);
  return bytes;
}

function serialized(row: Row): string {
  return utxoBytes({
    txId: bytesOf(row.txHash),
    outputIndex: row.outputIndex,
    assetId: bytesOf(row.assetId),
    amount: BigInt(row.amount),
    locktime: BigInt(row.platformLocktime),
    threshold: row.threshold,
    addresses: row.addresses.map(addressBytes),
    ...(row.stakeableLocktime !== undefined && { stakeableLocktime: BigInt(row.stakeableLocktime) }),
  });
}

describe.skipIf(!existsSync(folder))('ids and bytes of real outputs', () => {
  test('recompute from the fields of the output', () => {
    const rows = realRows();
    const differing = rows.filter(
      (row) =>
        utxoIdOf(bytesOf(row.txHash), row.outputIndex) !== row.utxoId ||
        (row.utxoBytes !== undefined && serialized(row) !== row.utxoBytes),
    );
    expect(rows.length).toBe(38_880);
    expect(rows.filter((row) => row.utxoBytes !== undefined).length).toBeGreaterThan(38_000);
    expect(differing).toEqual([]);
  });
});

describe('a node id', () => {
  test('is NodeID- and the CB58 of its 20 bytes', () => {
    expect(nodeIdOf(bytesOf('L7WQizfKW9Y1GZdL9oxKtp5QzgYhViySP'))).toBe(
      'NodeID-L7WQizfKW9Y1GZdL9oxKtp5QzgYhViySP',
    );
  });
});
