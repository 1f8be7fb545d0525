import { keccak_256 } from '@noble/hashes/sha3.js';
import { toHex } from '../hex.js';
import { rlpBytes, rlpList } from './rlp.js';

/** A header as eth_getHeaderByNumber and eth_getBlockByNumber give it; other members are ignored. */
export type EvmHeader = Readonly<Record<string, unknown>>;

/** A member of a header that is missing or is not what it should be, for people. */
export class HeaderError extends Error {}

/** Bytes of a member, or `number` for a whole number, or `bytes` for any number of bytes. */
type Shape = number | 'number' | 'bytes';

/** Members in the order of the hash (avalanchego graft/coreth/plugin/evm/customtypes/header_ext.go). */
const required: readonly (readonly [string, Shape])[] = [
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
  ['extDataHash', 32],
];

/** Members that later eras brought: Apricot 3 and 4, Etna, Granite, Helicon. */
const optional: readonly (readonly [string, Shape])[] = [
  ['baseFeePerGas', 'number'],
  ['extDataGasUsed', 'number'],
  ['blockGasCost', 'number'],
  ['blobGasUsed', 'number'],
  ['excessBlobGas', 'number'],
  ['parentBeaconBlockRoot', 32],
  ['timestampMilliseconds', 'number'],
  ['minDelayExcess', 'number'],
  ['targetExponent', 'number'],
  ['minPriceExponent', 'number'],
  ['settledHeight', 'number'],
  ['settledGasUnix', 'number'],
  ['settledGasNumerator', 'number'],
  ['settledExcess', 'number'],
];

const EMPTY = new Uint8Array(0);

/**
 * The hash of a C-chain header of any era, recomputed from its members: keccak256 of their RLP.
 *
 * @returns 0x and 64 digits in lower case
 * @throws HeaderError
 */
export function evmHeaderHash(header: EvmHeader): string {
  const last = optional.findLastIndex(([name]) => header[name] !== undefined && header[name] !== null);
  const items = [
    ...required.map(([name, shape]) => encode(name, shape, header[name])),
    // A member without value before one that has one counts as empty.
    ...optional.slice(0, last + 1).map(([name, shape]) => {
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
