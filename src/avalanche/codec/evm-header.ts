import { toHex } from '../hex.js';
import { keccak256 } from '../keccak.js';
import { Members } from './evm-members.js';
import { firstOfList, keccakOf, rlpBytes, rlpList } from './rlp.js';

/** A header as eth_getHeaderByNumber and eth_getBlockByNumber give it; other members are ignored. */
export type EvmHeader = Readonly<Record<string, unknown>>;

/** Bytes of a member, or `number` for a whole number, or `bytes` for any number of bytes. */
type Shape = number | 'number' | 'bytes';

type MemberShapes = readonly (readonly [string, Shape])[];

/**
 * Members that every header begins with, in the order of the hash (avalanchego
 * graft/coreth/plugin/evm/customtypes/header_ext.go).
 */
const required: MemberShapes = [
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

const blobs: MemberShapes = [
  ['blobGasUsed', 'number'],
  ['excessBlobGas', 'number'],
  ['parentBeaconBlockRoot', 32],
];

const granite: MemberShapes = [
  ['timestampMilliseconds', 'number'],
  ['minDelayExcess', 'number'],
];

/** What follows in a header of each kind of chain; what is `later` came with forks, one by one. */
const forms: Readonly<
  Record<'coreth' | 'subnetEvm' | 'ethereum', { always: MemberShapes; later: MemberShapes }>
> = {
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

/**
 * The hash of a C-chain header of any era, recomputed from its members: keccak256 of their RLP.
 *
 * @returns 0x and 64 digits in lower case
 * @throws MemberError
 */
export const evmHeaderHash = (header: EvmHeader): string => hashAs('coreth', header);

/**
 * The hash of a header of an EVM chain other than the C-chain: of subnet-evm's form where it has members that
 * only that has, or lacks one that Ethereum's has, else of Ethereum's.
 *
 * @returns 0x and 64 digits in lower case
 * @throws MemberError
 */
export function l1HeaderHash(header: EvmHeader): string {
  const members = new Members(header, 'the header');
  // Ethereum's forks brought withdrawals before blobs; subnet-evm has none.
  const isSubnetEvm =
    granite.some(([name]) => members.has(name)) ||
    members.has('blockGasCost') ||
    (members.has('parentBeaconBlockRoot') && !members.has('withdrawalsRoot'));
  return hashAs(isSubnetEvm ? 'subnetEvm' : 'ethereum', header);
}

/** The hash of a block of an EVM chain from its bytes, which begin with its header. @throws CodecError */
export const evmBlockHash = (bytes: Uint8Array): string => toHex(keccak256(firstOfList(bytes)));

function hashAs(form: keyof typeof forms, header: EvmHeader): string {
  const { always, later } = forms[form];
  const member = new Members(header, 'the header');
  const last = later.findLastIndex(([name]) => member.has(name));
  const items = [
    ...[...required, ...always].map(([name, shape]) => encode(member, name, shape)),
    // A member without value before one that has one counts as empty.
    ...later
      .slice(0, last + 1)
      .map(([name, shape]) => (member.has(name) ? encode(member, name, shape) : rlpBytes(''))),
  ];
  return `0x${keccakOf(rlpList(items))}`;
}

function encode(member: Members, name: string, shape: Shape): string {
  if (shape === 'number') return rlpBytes(member.shortest(name));
  return rlpBytes(shape === 'bytes' ? member.bytes(name) : member.bytes(name, shape));
}
