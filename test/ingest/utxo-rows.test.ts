import { describe, expect, test } from 'vitest';
import { blockchainIds } from '../../src/avalanche/networks.js';
import { readUtxo } from '../../src/resources/utxo/import-row.js';
import { utxoRows } from '../../src/resources/utxo/import.js';
import { addressOf, idOf, utxoRow, withBytes } from '../harness/ledger-rows.js';

const id = idOf('x');
const badChecksum = `${id.slice(0, -1)}${id.endsWith('2') ? '3' : '2'}`;

describe('a UTXO row is refused', () => {
  test.each<[string, object, string | RegExp]>([
    ['without addresses', { addresses: undefined }, 'addresses: is missing; it must be a list'],
    [
      'with an address of another network',
      { addresses: [addressOf('a', 'fuji')] },
      /^addresses\[0\]: "fuji1.* does not begin with avax1/,
    ],
    [
      'with a misspelt address',
      { addresses: [`${addressOf('a').slice(0, -1)}b`] },
      /^addresses\[0\]: .* has a wrong bech32 checksum/,
    ],
    ['without utxoId', { utxoId: null }, 'utxoId: is missing; it must be a 32-byte id in CB58'],
    ['with a wrong checksum', { txHash: badChecksum }, /^txHash: ".*" is not a 32-byte id in CB58/],
    [
      'with an amount that is a number',
      { amount: 5 },
      'asset.amount: 5 is not a string of decimal digits, 0 to 115792089237316195423570985008687907853269984665640564039457584007913129639935',
    ],
    ['with an amount beyond 256 bits', { amount: String(2n ** 256n) }, /^asset\.amount: /],
    ['with a leading zero', { blockNumber: '007' }, /^blockNumber: "007" is not/],
    ['with a fraction', { outputIndex: 1.5 }, /^outputIndex: 1\.5 is not a whole number/],
    ['with a negative number', { blockTimestamp: -1 }, /^blockTimestamp: -1 is not/],
    [
      'with a number beyond 64 bits',
      { stakeableLocktime: 2n ** 64n },
      /^stakeableLocktime: 18446744073709551616 is not/,
    ],
    ['with an unknown utxoType', { utxoType: 'GIFT' }, 'utxoType: "GIFT" is not STAKE or TRANSFER'],
    [
      'with an unknown rewardType',
      { rewardType: 'LUCK' },
      'rewardType: "LUCK" is not VALIDATOR or DELEGATOR or VALIDATOR_FEE',
    ],
    [
      'with an unknown asset type',
      { asset: { assetId: id, amount: '1', type: 'erc20' } },
      'asset.type: "erc20" is not secp256k1 or nft',
    ],
    [
      'with a chain of the other network',
      { createdOnChainId: blockchainIds.fuji.x },
      /^createdOnChainId: .* is not the id of p-chain, x-chain, c-chain of mainnet/,
    ],
    ['with staked as a text', { staked: 'true' }, 'staked: "true" is not true or false'],
    ['with odd hex', { utxoBytes: '0x123' }, 'utxoBytes: "0x123" is not bytes in hex with 0x'],
    [
      'with two assets',
      { asset: { assetId: id, amount: '1000' }, assetId: idOf('y') },
      /^assetId: ".*" is not the asset's/,
    ],
    [
      'with two amounts',
      { asset: { assetId: id, amount: '1' }, assetId: id, amount: '2' },
      `amount: "2" is not the asset's, 1`,
    ],
  ])('%s', (_case, fields, reason) => {
    expect(() => readUtxo(utxoRow('row', fields), 'mainnet')).toThrow(reason);
  });

  const bytesOf = (fields: object = {}) => withBytes(utxoRow('row', fields)).utxoBytes;
  const utxoBytes = bytesOf();
  test.each<[string, object, string | RegExp]>([
    [
      'whose id is that of another place',
      { utxoId: id },
      /^utxoId: \w+ is not \w+, the id of output 0 of \w+$/,
    ],
    ['whose id has a wrong checksum', { utxoId: badChecksum }, /^utxoId: ".*" is not a 32-byte id in CB58/],
    [
      'whose bytes are of another output',
      { utxoBytes, outputIndex: 1 },
      'utxoBytes: contradicts outputIndex',
    ],
    [
      'whose bytes are of another transaction',
      { utxoBytes, txHash: id, outputIndex: 0 },
      'utxoBytes: contradicts txHash',
    ],
    ['whose bytes have another asset', { utxoBytes, assetId: id }, 'utxoBytes: contradicts assetId'],
    ['whose bytes have another amount', { utxoBytes, amount: '1001' }, 'utxoBytes: contradicts amount'],
    [
      'whose bytes have another owner',
      { utxoBytes, addresses: [addressOf('b')] },
      'utxoBytes: contradicts addresses',
    ],
    [
      'whose bytes have one owner of two',
      { utxoBytes, addresses: [addressOf('anna'), addressOf('b')] },
      'utxoBytes: contradicts addresses',
    ],
    ['whose bytes have another threshold', { utxoBytes, threshold: 2 }, 'utxoBytes: contradicts threshold'],
    [
      'whose bytes have no lock',
      { utxoBytes, platformLocktime: 5 },
      'utxoBytes: contradicts platformLocktime',
    ],
    [
      'whose bytes can be spent before',
      { utxoBytes: bytesOf({ stakeableLocktime: 6 }), stakeableLocktime: 7 },
      'utxoBytes: contradicts stakeableLocktime',
    ],
    [
      'whose bytes have no lock of a stake',
      { utxoBytes, utxoType: 'STAKE' },
      'utxoBytes: contradicts utxoType',
    ],
    [
      'whose bytes have a wrong checksum',
      { utxoBytes: utxoBytes.slice(0, -8) + '00000000' },
      'utxoBytes: is no output with its checksum',
    ],
    ['whose bytes are none of an output', { utxoBytes: '0x00' }, 'utxoBytes: is no output with its checksum'],
  ])('%s', (_case, fields, reason) => {
    expect(() => readUtxo(utxoRow('row', fields), 'mainnet')).toThrow(reason);
  });

  test('unless its members fit its id and bytes, whatever it lacks of these and in whatever order its owners are', () => {
    const owners = ['anna', 'b'].map((name) => addressOf(name));
    for (const fields of [
      {},
      { threshold: 1, platformLocktime: 9 },
      { stakeableLocktime: 7, utxoType: 'STAKE' },
      { addresses: owners },
    ]) {
      const row = withBytes(utxoRow('row', fields));
      for (const lacking of [{}, { threshold: undefined }, { platformLocktime: undefined }])
        readUtxo({ ...row, ...lacking }, 'mainnet');
      readUtxo({ ...row, addresses: row.addresses.toReversed() }, 'mainnet');
    }
    readUtxo(withBytes(utxoRow('row', { amount: '0' }), 3), 'mainnet');
  });

  test('that is no object, or belongs to another chain than its file', () => {
    for (const value of [null, [], 'text', 5])
      expect(() => readUtxo(value, 'mainnet')).toThrow(/^the line: /);
    expect(() => utxoRows.read(utxoRow('row'), { network: 'mainnet', chain: 'x' })).toThrow(
      'createdOnChainId: an output from p-chain to p-chain is not one of x-chain',
    );
  });
});

test('a UTXO row with nothing but what is required is read, the rest unknown', () => {
  const { record, asset } = readUtxo(utxoRow('row', { addresses: [`P-${addressOf('a')}`] }), 'mainnet');
  expect(record).toMatchObject({ addresses: `{${addressOf('a')}}`, amount: '1000', created_on: 'p' });
  expect(Object.entries(record).flatMap(([name, value]) => (value === null ? [name] : []))).toHaveLength(13);
  expect(asset).toMatchObject({ name: '', symbol: '', denomination: '0', described: false });
});
