import { keccak_256 } from '@noble/hashes/sha3.js';
import { toHex } from '../hex.js';
import { firstOfList, rlpBytes, rlpList } from './rlp.js';

/** A header as eth_getHeaderByNumber and eth_getBlockByNumber give it; other members are ignored. */
export type EvmHeader = Readonly<Record<string, unknown>>;

/** A member of a header that is missing or is not what it should be, for people. */
export class HeaderError extends Error {}

/** Bytes of a member, or `number` for a whole number, or `bytes` for any number of bytes. */
type Shape = number | 'number' | 'bytes';

type Members = readonly (readonly [string, Shape])[];

/**
 * Members that every header begins with, in the order of the hash (avalanchego
 * graft/coreth/plugin/evm/customtypes/header_ext.go).
 */
const required: Members = [
  ['parentHash', 32],
  ['sha3Uncles', 32],
  ['miner', 20],
  ['stateRoot', 32],
  ['transactionsRoot', 32],
  ['receiptsRoot', 32],
  ['logsBloom', 256],
  ['difficulty', 'number'],
  ['number', 'number'],
  ['gasLimit', 'number'],
  ['gasUsed', 'number'],
  ['timestamp', 'number'],
  ['extraData', 'bytes'],
  ['mixHash', 32],
  ['nonce', 8],
];

const blobs: Members = [
  ['blobGasUsed', 'number'],
  ['excessBlobGas', 'number'],
  ['parentBeaconBlockRoot', 32],
];

const granite: Members = [
  ['timestampMilliseconds', 'number'],
  ['minDelayExcess', 'number'],
];

/** What follows in a header of each kind of chain; what is `later` came with forks, one by one. */
const forms: Readonly<Record<'coreth' | 'subnetEvm' | 'ethereum', { always: Members; later: Members }>> = {
  // Apricot 3 and 4, Etna, Granite, Helicon.
  coreth: {
    always: [['extDataHash', 32]],
    later: [
      ['baseFeePerGas', 'number'],
      ['extDataGasUsed', 'number'],
      ['blockGasCost', 'number'],
      ...blobs,
      ...granite,
      ['targetExponent', 'number'],
      ['minPriceExponent', 'number'],
      ['settledHeight', 'number'],
      ['settledGasUnix', 'number'],
      ['settledGasNumerator', 'number'],
      ['settledExcess', 'number'],
    ],
  },
  // avalanchego graft/subnet-evm/plugin/evm/customtypes/header_ext.go: Subnet EVM, Etna, Granite.
  subnetEvm: {
    always: [],
    later: [['baseFeePerGas', 'number'], ['blockGasCost', 'number'], ...blobs, ...granite],
  },
  // London (EIP-1559), Shanghai (EIP-4895), Cancun (EIP-4844, EIP-4788), Prague (EIP-7685).
  ethereum: {
    always: [],
    later: [['baseFeePerGas', 'number'], ['withdrawalsRoot', 32], ...blobs, ['requestsHash', 32]],
  },
};

const EMPTY = new Uint8Array(0);

/**
 * The hash of a C-chain header of any era, recomputed from its members: keccak256 of their RLP.
 *
 * @returns 0x and 64 digits in lower case
 * @throws HeaderError
 */
export const evmHeaderHash = (header: EvmHeader): string => hashAs('coreth', header);

/**
 * The hash of a header of an EVM chain other than the C-chain: of subnet-evm's form where it has members that
 * only that has, or lacks one that Ethereum's has, else of Ethereum's.
 *
 * @returns 0x and 64 digits in lower case
 * @throws HeaderError
 */
export function l1HeaderHash(header: EvmHeader): string {
  const has = (name: string) => header[name] !== undefined && header[name] !== null;
  // Ethereum's forks brought withdrawals before blobs; subnet-evm has none.
  const isSubnetEvm =
    granite.some(([name]) => has(name)) ||
    has('blockGasCost') ||
    (has('parentBeaconBlockRoot') && !has('withdrawalsRoot'));
  return hashAs(isSubnetEvm ? 'subnetEvm' : 'ethereum', header);
}

/** The hash of a block of an EVM chain from its bytes, which begin with its header. @throws CodecError */
export const evmBlockHash = (bytes: Uint8Array): string => toHex(keccak_256(firstOfList(bytes)));

function hashAs(form: keyof typeof forms, header: EvmHeader): string {
  const { always, later } = forms[form];
  const last = later.findLastIndex(([name]) => header[name] !== undefined && header[name] !== null);
  const items = [
    ...[...required, ...always].map(([name, shape]) => encode(name, shape, header[name])),
    // A member without value before one that has one counts as empty.
    ...later.slice(0, last + 1).map(([name, shape]) => {
      const value = header[name];
      return value === undefined || value === null ? rlpBytes(EMPTY) : encode(name, shape, value);
    }),
  ];
  return toHex(keccak_256(rlpList(items)));
}

function encode(name: string, shape: Shape, value: unknown): Uint8Array {
  const digits = typeof value === 'string' ? /^0x([0-9a-f]*)$/i.exec(value)?.[1] : undefined;
  if (digits === undefined) throw wrong(name, shape);
  if (shape === 'number') {
    const shortest = digits.replace(/^0+/, '');
    return rlpBytes(Buffer.from(shortest.length % 2 === 0 ? shortest : `0${shortest}`, 'hex'));
  }
  const right = shape === 'bytes' ? digits.length % 2 === 0 : digits.length === shape * 2;
  if (!right) throw wrong(name, shape);
  return rlpBytes(Buffer.from(digits, 'hex'));
}

function wrong(name: string, shape: Shape): HeaderError {
  const wanted =
    shape === 'number' ? 'a whole number' : shape === 'bytes' ? 'bytes' : `${shape.toString()} bytes`;
  return new HeaderError(`${name} of the header is not ${wanted} in hexadecimal digits`);
}
