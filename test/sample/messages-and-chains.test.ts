import { encodeAbiParameters, keccak256, toHex } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import { decodeCb58 } from '../../src/avalanche/cb58.js';
import { readSample } from '../harness/sample.js';

const { rowsOf, transactionsOf } = readSample();

interface Message {
  messageId: string;
  icmContractAddress: `0x${string}`;
  sourceBlockchainId: string;
  destinationBlockchainId: string;
  messageNonce: string;
  messageExecuted: boolean;
  receipts: object[];
  rewardDetails: { value: string; logoUri?: string; price?: object };
  sourceTransaction?: { timestamp: number };
  destinationTransaction?: { timestamp: number };
  status: string;
}
const messages = rowsOf<Message>('fuji.icm.messages');
const chains = rowsOf<{ chainId: string; blockchainId: string; subnetId: string; rpcUrl: string }>(
  'evm.chains',
);

describe('ICM messages of the sample', () => {
  test('have ids that recompute from contract, chains and nonce', () => {
    const word = (id: string) => toHex(decodeCb58(id) ?? new Uint8Array());
    const types = ['address', 'bytes32', 'bytes32', 'uint256'].map((type) => ({ type }));
    for (const row of messages) {
      const values = [
        row.icmContractAddress,
        word(row.sourceBlockchainId),
        word(row.destinationBlockchainId),
        BigInt(row.messageNonce),
      ];
      expect(keccak256(encodeAbiParameters(types, values))).toBe(`0x${row.messageId}`);
    }
    expect(new Set(messages.map((row) => row.messageId)).size).toBe(messages.length);
  });

  test('carry the transactions that belong to their status', () => {
    const shape: Record<string, [boolean, boolean]> = {
      pending: [true, false],
      delivered: [true, true],
      delivered_source_not_indexed: [false, true],
    };
    expect(new Set(messages.map((row) => row.status))).toEqual(new Set(Object.keys(shape)));
    for (const { status, sourceTransaction, destinationTransaction } of messages)
      expect([sourceTransaction !== undefined, destinationTransaction !== undefined]).toEqual(shape[status]);
  });

  test('include rewards with and without price and logo, receipts, and one delivered but not executed', () => {
    const rewarded = messages.map((row) => row.rewardDetails).filter((reward) => reward.value !== '0');
    const kinds = new Set(
      rewarded.map(({ price, logoUri }) => `${price !== undefined} ${logoUri !== undefined}`),
    );
    expect(kinds.size).toBe(4);
    expect(messages.some((row) => row.receipts.length > 0)).toBe(true);
    expect(messages.some((row) => row.status === 'delivered' && !row.messageExecuted)).toBe(true);
  });

  test('go between chains of the sample, except from the one that is not indexed', () => {
    const known = new Set(chains.map((row) => row.blockchainId));
    for (const row of messages) {
      expect(known.has(row.destinationBlockchainId)).toBe(true);
      expect(known.has(row.sourceBlockchainId)).toBe(row.status !== 'delivered_source_not_indexed');
      expect(row.sourceBlockchainId).not.toBe(row.destinationBlockchainId);
    }
  });
});

describe('chains of the sample', () => {
  test('hold what a chain must have', () => {
    expect(chains.map((row) => row.chainId)).toEqual(['43113', '43114', '7310001', '7310002', '7310003']);
    for (const row of chains)
      for (const field of [
        'chainName',
        'description',
        'vmName',
        'rpcUrl',
        'isTestnet',
        'networkToken',
        'isActive',
      ])
        expect(row).toHaveProperty(field);
  });

  test('include the L1s that the P-chain made', () => {
    const created = new Map(
      transactionsOf('p').flatMap((row) =>
        row.txType === 'CreateChainTx' ? [[row.txHash, row.subnetId]] : [],
      ),
    );
    const converted = transactionsOf('p').flatMap((row) =>
      row.txType === 'ConvertSubnetToL1Tx' ? (row.subnetId ?? []) : [],
    );
    for (const row of chains.slice(2)) expect(created.get(row.blockchainId)).toBe(row.subnetId);
    expect(chains.slice(2).map((row) => row.subnetId)).toEqual(converted);
  });
});
