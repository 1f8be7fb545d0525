import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { formatAddress } from '../../src/avalanche/address.js';
import { encodeCb58, isId } from '../../src/avalanche/cb58.js';
import { readAddresses, readNodeId } from '../../src/avalanche/input.js';
import {
  ADDRESS,
  GIVEN_ADDRESS,
  ID,
  idForm,
  NODE_ID,
  nodeIdForm,
  only,
} from '../../src/avalanche/patterns.js';
import { addressesArgument } from '../../src/resources/address/arguments.js';

/**
 * Random bytes of which the first ones are zero, as many as there can be: these decide the length of a text
 * in base58.
 */
function* bytesOf(length: number): Generator<Uint8Array> {
  for (let zeros = 0; zeros <= length; zeros += 1)
    for (let turn = 0; turn < 20; turn += 1) {
      const bytes = randomBytes(length);
      bytes.fill(0, 0, zeros);
      yield bytes;
    }
  yield new Uint8Array(length).fill(255);
}

function expectForm(text: string, form: { pattern: string; minLength: number; maxLength: number }): void {
  expect(text).toMatch(new RegExp(form.pattern));
  expect(text.length).toBeGreaterThanOrEqual(form.minLength);
  expect(text.length).toBeLessThanOrEqual(form.maxLength);
}

test('the pattern of ids takes every id, of nodes every node id, of addresses every address', () => {
  for (const bytes of bytesOf(32)) {
    const id = encodeCb58(bytes);
    expect(isId(id) && new RegExp(only(ID)).test(id), id).toBe(true);
    expectForm(id, idForm);
  }
  for (const bytes of bytesOf(20)) {
    const nodeId = `NodeID-${encodeCb58(bytes)}`;
    expect(readNodeId('nodeId', nodeId)).toMatch(new RegExp(only(NODE_ID)));
    expectForm(nodeId, nodeIdForm);
    expect(formatAddress('fuji', bytes)).toMatch(new RegExp(only(ADDRESS)));
  }
});

test('the pattern of given addresses takes them as requests do', () => {
  const address = formatAddress('fuji', randomBytes(20));
  const pattern = new RegExp(only(GIVEN_ADDRESS));
  for (const given of [address, `P-${address}`, address.toUpperCase(), `C-${address.toUpperCase()}`]) {
    expect(readAddresses('addresses', 'fuji', [given])).toEqual([address]);
    expect(given).toMatch(pattern);
  }
  const wrong = [
    `p-${address}`,
    address.slice(1),
    `${address}x`,
    `D-${address}`,
    address.replace('fuji1', 'Fuji1'),
  ];
  for (const given of wrong) {
    expect(() => readAddresses('addresses', 'fuji', [given])).toThrow();
    expect(given).not.toMatch(pattern);
  }
  const list = new RegExp(String(addressesArgument('').schema['pattern']));
  for (const given of [address, `${address},${address}`, ` ${address} ,, P-${address},`])
    expect(given).toMatch(list);
  for (const given of [`${address} ${address}`, `${address};`, 'a,b']) expect(given).not.toMatch(list);
});
