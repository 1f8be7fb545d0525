import { describe, expect, test } from 'vitest';
import {
  readTransaction,
  transactionHash,
  transactionsRoot,
} from '../../../src/avalanche/codec/evm-transaction.js';
import { callsOf, recordedNetworks } from './recorded.js';

interface RecordedBlock {
  number: string;
  transactionsRoot: string;
  baseFeePerGas?: string;
  transactions: { hash: string; type: string }[];
}

describe.each(recordedNetworks)('the transactions of %s', (network) => {
  const calls = callsOf(network, 'c');
  const blocks = calls
    .filter(({ method }) => method === 'eth_getBlockByNumber')
    .map(({ result }) => result as unknown as RecordedBlock);

  test('have the hashes that the node names, and the root of their header', () => {
    expect(blocks.length).toBeGreaterThan(500);
    const types = new Set<string>();
    for (const { number, transactionsRoot: root, transactions } of blocks) {
      const read = transactions.map(readTransaction);
      for (const { type } of transactions) types.add(type);
      expect(read.map(({ encoded }) => transactionHash(encoded!))).toEqual(read.map(({ hash }) => hash));
      expect(transactionsRoot(read.map(({ encoded }) => encoded!)), number).toBe(root);
    }
    expect([...types].sort()).toEqual(['0x0', '0x1', '0x2']);
  });

  test('cost what their receipts say', () => {
    const prices = new Map<string, bigint>();
    for (const { method, result } of calls)
      if (method === 'eth_getBlockReceipts')
        for (const each of result as unknown as { transactionHash: string; effectiveGasPrice: string }[])
          prices.set(each.transactionHash, BigInt(each.effectiveGasPrice));
    expect(prices.size).toBeGreaterThan(500);
    for (const { baseFeePerGas, transactions } of blocks)
      for (const { hash, gasPrice } of transactions.map(readTransaction))
        expect(gasPrice(baseFeePerGas === undefined ? null : BigInt(baseFeePerGas))).toBe(prices.get(hash));
  });
});
