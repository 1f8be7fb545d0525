import { describe, expect, test } from 'vitest';
import { bloomBits, mayHave } from '../../../src/avalanche/codec/bloom.js';
import { readReceipt, receiptsRoot } from '../../../src/avalanche/codec/evm-receipt.js';
import { listRoot } from '../../../src/avalanche/codec/list-root.js';
import { callsOf, recordedNetworks } from './recorded.js';

test('the root of no items is that of an empty text', () => {
  expect(listRoot([])).toBe('0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421');
});

test('every item counts, and its place', () => {
  const items = Array.from({ length: 300 }, (_, index) => Buffer.from(`item ${index}`).toString('hex'));
  const root = listRoot(items);
  for (const index of [0, 1, 127, 128, 255, 256, 299]) {
    const changed = items.with(index, Buffer.from('another').toString('hex'));
    expect(listRoot(changed)).not.toBe(root);
  }
  expect(listRoot(items.toReversed())).not.toBe(root);
  expect(listRoot(items.slice(1))).not.toBe(root);
});

test('a receipt that is not as it should be is refused, and says why', () => {
  const receipt = {
    type: '0x0',
    status: '0x1',
    cumulativeGasUsed: '0x5208',
    effectiveGasPrice: '0x1',
    logsBloom: `0x${'0'.repeat(512)}`,
    logs: [],
    transactionHash: `0x${'1'.repeat(64)}`,
  };
  expect(readReceipt(receipt).cumulativeGasUsed).toBe(21000n);
  expect(() => readReceipt(null)).toThrow('a receipt is not an object');
  expect(() => readReceipt({ ...receipt, logs: undefined })).toThrow('logs of a receipt is not a list');
  expect(() => readReceipt({ ...receipt, logsBloom: '0x00' })).toThrow(
    'logsBloom of a receipt is not 256 bytes',
  );
  expect(() => readReceipt({ ...receipt, cumulativeGasUsed: 5 })).toThrow('is not a whole number');
  expect(() => readReceipt({ ...receipt, status: undefined })).toThrow('root of a receipt is not 32 bytes');
});

test('a receipt without a gas price is right: it is no part of its bytes', () => {
  const receipt = {
    type: '0x2',
    status: '0x1',
    cumulativeGasUsed: '0x5208',
    effectiveGasPrice: '0x3b9aca07',
    logsBloom: `0x${'0'.repeat(512)}`,
    logs: [],
    transactionHash: `0x${'1'.repeat(64)}`,
  };
  expect(readReceipt(receipt).effectiveGasPrice).toBe(1_000_000_007n);
  for (const effectiveGasPrice of [undefined, null]) {
    const read = readReceipt({ ...receipt, effectiveGasPrice });
    expect(read).toEqual({ ...readReceipt(receipt), effectiveGasPrice: null });
  }
});

describe.runIf(recordedNetworks.length > 0).each(recordedNetworks)('receipts of %s', (network) => {
  type Header = Record<'number' | 'receiptsRoot' | 'logsBloom', string>;
  const calls = callsOf(network, 'c');
  const headers = new Map(
    calls
      .filter(({ method }) => method === 'eth_getHeaderByNumber')
      .map(({ result }) => [(result as Header).number, result as Header]),
  );
  const blocks = calls
    .filter(({ method }) => method === 'eth_getBlockReceipts')
    .map(({ args, result }) => ({
      header: headers.get((args as unknown as [string])[0])!,
      receipts: (result as unknown as unknown[]).map(readReceipt),
    }));

  test('they have the root that the header of their block says', () => {
    expect(blocks.length).toBeGreaterThan(100);
    for (const { header, receipts } of blocks) expect(receiptsRoot(receipts)).toBe(header.receiptsRoot);
  });

  test('the filter of a header says yes to all that its logs have, and mostly no to anything else', () => {
    let yes = 0;
    for (const { header, receipts } of blocks) {
      const bloom = Buffer.from(header.logsBloom.slice(2), 'hex');
      for (const { address, topics } of receipts.flatMap(({ logs }) => logs))
        for (const each of [address, ...topics]) expect(mayHave(bloom, [bloomBits(each)])).toBe(true);
      if (mayHave(bloom, [bloomBits(`0x${'12'.repeat(32)}`)])) yes += 1;
    }
    expect(yes).toBeLessThan(blocks.length / 10);
  });
});
