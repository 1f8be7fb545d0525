import { bech32 } from '@scure/base';
import { describe, expect, test } from 'vitest';
import { encodeCb58 } from '../../../src/avalanche/cb58.js';
import { rebuildGenesis } from '../../../src/avalanche/codec/genesis-bytes.js';
import { GenesisError } from '../../../src/avalanche/codec/genesis-file.js';
import { decodeGenesis, decodeXGenesis } from '../../../src/avalanche/codec/genesis.js';
import { ZERO_ID, idOf } from '../../../src/avalanche/codec/ids.js';
import { CodecError } from '../../../src/avalanche/codec/reader.js';

const bytes = (length: number, byte: number) => new Uint8Array(length).fill(byte);
const address = (byte: number) =>
  `X-custom1${bech32.encode('custom', bech32.toWords(bytes(20, byte))).slice(7)}`;
const nodeId = (byte: number) => `NodeID-${encodeCb58(bytes(20, byte))}`;
const hex = (length: number, byte: number) => `0x${byte.toString(16).padStart(2, '0').repeat(length)}`;

const START = 1_700_000_000;
const LARGE = 360_000_000_000_000_001n;

const file = {
  networkID: 4242,
  allocations: [
    {
      ethAddr: hex(20, 0xe1),
      avaxAddr: address(1),
      initialAmount: 20,
      unlockSchedule: [{ amount: 5 }, { amount: 0, locktime: 7 }, { amount: LARGE, locktime: START + 1 }],
    },
    // Staked: 50 in all, so that two stakers have 16 and the last 18.
    {
      ethAddr: hex(20, 0xe2),
      avaxAddr: address(2),
      unlockSchedule: [{ amount: 10 }, { amount: 40, locktime: START + 9 }],
    },
    {
      ethAddr: hex(20, 0xe3),
      avaxAddr: address(3),
      initialAmount: 3,
      unlockSchedule: [{ amount: 8, locktime: START }],
    },
  ],
  startTime: START,
  initialStakeDuration: 1000,
  initialStakeDurationOffset: 10,
  initialStakedFunds: [address(2)],
  initialStakers: [
    { nodeID: nodeId(1), rewardAddress: address(4), delegationFee: 20_000 },
    { nodeID: nodeId(2), rewardAddress: address(5), delegationFee: 30_000 },
    {
      nodeID: nodeId(3),
      rewardAddress: address(6),
      delegationFee: 40_000,
      signer: { publicKey: hex(48, 7), proofOfPossession: hex(96, 8) },
    },
  ],
  cChainGenesis: '{"config":{"chainId":4242}}',
  message: 'grüße',
};

describe('a genesis file', () => {
  const genesis = rebuildGenesis(file);

  test('has the id of its bytes, and the bytes say what the file says', () => {
    expect(genesis.id).toBe(idOf(genesis.bytes));
    expect(decodeGenesis(genesis.bytes)).toEqual(genesis);
    expect(genesis).toMatchObject({ networkId: 4242, time: START, message: 'grüße' });
    expect(genesis.initialSupply).toBe(LARGE + 20n + 5n + 50n + 3n + 8n);
    expect(genesis.chains).toMatchObject([
      { type: 'CreateChainTx', id: genesis.xChainId, chainName: 'X-Chain', subnetId: ZERO_ID },
      { type: 'CreateChainTx', id: genesis.cChainId, chainName: 'C-Chain', fxIds: [] },
    ]);
  });

  test('gives the outputs of those who do not stake, in its order, locked where the lock is not over', () => {
    const { utxos, avaxAssetId } = genesis;
    expect(utxos.map(({ output }) => [output.amount, output.stakeableLocktime])).toEqual([
      [5n, null],
      [LARGE, BigInt(START + 1)],
      [8n, null],
    ]);
    expect(utxos.map(({ txId, outputIndex, assetId }) => [txId, outputIndex, assetId])).toEqual(
      [0, 1, 2].map((index) => [ZERO_ID, index, avaxAssetId]),
    );
    expect(utxos[2]?.output.owners).toEqual({ locktime: 0n, threshold: 1, addresses: [bytes(20, 3)] });
  });

  test('deals the staked coins out to its stakers, whom it keeps in a heap by the end of their periods', () => {
    const stakes = genesis.validators.map((validator) => ({
      node: 'validator' in validator ? validator.validator.nodeId : '',
      end: 'validator' in validator ? validator.validator.end : 0n,
      amounts: validator.outputs.map(({ output }) => output.amount),
    }));
    // Ends fall in the file's order, so that each new one goes to the top.
    expect(stakes).toEqual([
      { node: nodeId(3), end: BigInt(START + 980), amounts: [18n] },
      { node: nodeId(1), end: BigInt(START + 1000), amounts: [10n, 6n] },
      { node: nodeId(2), end: BigInt(START + 990), amounts: [16n] },
    ]);
    expect(genesis.validators.map(({ type }) => type)).toEqual([
      'AddPermissionlessValidatorTx',
      'AddValidatorTx',
      'AddValidatorTx',
    ]);
    expect(genesis.validators[0]).toMatchObject({ signer: { publicKey: bytes(48, 7), proof: bytes(96, 8) } });
  });

  test("gives the X-chain's outputs by amount, with the owners' EVM addresses as memo", () => {
    const [asset] = genesis.assets;
    expect(genesis.assets).toHaveLength(1);
    expect(asset).toMatchObject({
      alias: 'AVAX',
      transaction: { id: genesis.avaxAssetId, name: 'Avalanche' },
    });
    expect(asset?.transaction.outputs.map(({ output, role }) => [output.amount, role])).toEqual([
      [3n, 'asset'],
      [20n, 'asset'],
    ]);
    expect(Buffer.from(asset?.transaction.base.memo ?? []).toString('hex')).toBe(
      'e3'.repeat(20) + 'e1'.repeat(20),
    );
  });

  test("every prefix of its bytes, and of the X-chain's, is a CodecError", () => {
    const x = genesis.chains[0];
    const ofX = x?.type === 'CreateChainTx' ? x.genesis : new Uint8Array(0);
    for (const [decode, whole] of [
      [decodeGenesis, genesis.bytes],
      [decodeXGenesis, ofX],
    ] as const) {
      expect(whole.length).toBeGreaterThan(100);
      for (let length = 0; length < whole.length; length += 1)
        expect(() => decode(whole.subarray(0, length))).toThrow(CodecError);
      expect(() => decode(Buffer.concat([whole, Buffer.alloc(1)]))).toThrow(CodecError);
    }
  });
});

test.each([
  [null, 'the genesis file is not an object'],
  [{ ...file, allocations: {} }, 'allocations of the genesis file is not a list'],
  [
    { ...file, allocations: [{ ...file.allocations[0], avaxAddr: 'X-custom1qqqq' }] },
    'avaxAddr of item 0 of allocations of the genesis file is not an address such as X-avax1…',
  ],
  [{ ...file, networkID: 2 ** 32 }, 'networkID of the genesis file is not a whole number below 2^32'],
  // A file that was read with JSON.parse has lost digits.
  [
    { ...file, allocations: [{ ...file.allocations[0], initialAmount: 2 ** 53 }] },
    'initialAmount of item 0 of allocations of the genesis file is not a whole number below 2^64',
  ],
  [{ ...file, initialStakeDuration: 5 }, "by the genesis file's initialStakeDuration, staker 1 would end at"],
  [
    { ...file, allocations: [{ ...file.allocations[0], initialAmount: 2n ** 64n - 1n }] },
    'the genesis file has 2^64 nAVAX or more',
  ],
  [{ ...file, message: 'x'.repeat(65_536) }, 'message of the genesis file is not at most 65535 bytes long'],
])('a file that is not a genesis says what is wrong with it (%#)', (wrong, message) => {
  expect(() => rebuildGenesis(wrong)).toThrow(message);
  expect(() => rebuildGenesis(wrong)).toThrow(GenesisError);
});
