import { Members } from './evm-members.js';
import { listRoot } from './list-root.js';
import { keccakOf, numberBytes, rlpBytes, rlpList } from './rlp.js';

/** A transaction as eth_getBlockByNumber gives it. */
export interface EvmTransaction {
  /** 0x and 64 digits in lower case. */
  readonly hash: string;
  /** 0x and 40 digits in lower case. It follows from the signature, and is not computed. */
  readonly from: string;
  /** The same; null of one that creates a contract. */
  readonly to: string | null;
  readonly value: bigint;
  /** Digits in lower case, two for each byte, without 0x. */
  readonly input: string;
  /** What its gas costs each, in wei, in a block with this base fee; null: one without. */
  readonly gasPrice: (baseFee: bigint | null) => bigint;
}

/** The same with its bytes, which prove it. */
export interface EncodedTransaction extends EvmTransaction {
  /** Its bytes (rlp.ts); null of a type that is not known. */
  readonly encoded: string | null;
}

/**
 * A transaction with its bytes: of type 0 the RLP of its members, of others the type before it (EIP-155,
 * EIP-2930, EIP-1559, EIP-4844, EIP-7702).
 *
 * @throws MemberError
 */
export function readTransaction(value: unknown): EncodedTransaction {
  const member = new Members(value, 'a transaction');
  const type = member.number('type', 0n);
  const input = member.bytes('input');
  return {
    hash: member.text('hash', 32),
    from: member.text('from', 20),
    to: member.has('to') ? member.text('to', 20) : null,
    value: member.number('value'),
    input,
    gasPrice: priceOf(member, type),
    encoded: encode(member, type, input),
  };
}

/** The root of these transactions of a block, as its header has it (`transactionsRoot`). */
export const transactionsRoot = (encoded: readonly string[]): string => listRoot(encoded);

/** The hash of a transaction. @returns 0x and 64 digits in lower case */
export const transactionHash = (encoded: string): string => `0x${keccakOf(encoded)}`;

function priceOf(member: Members, type: bigint): EvmTransaction['gasPrice'] {
  if (type < 2n || !member.has('maxFeePerGas')) {
    const price = member.number('gasPrice');
    return () => price;
  }
  const [most, tip] = [member.number('maxFeePerGas'), member.number('maxPriorityFeePerGas')];
  return (baseFee) => {
    const wanted = (baseFee ?? 0n) + tip;
    return wanted < most ? wanted : most;
  };
}

function encode(member: Members, type: bigint, input: string): string | null {
  if (type > 4n) return null;
  const number = (name: string) => rlpBytes(member.shortest(name));
  const to = rlpBytes(member.has('to') ? member.bytes('to', 20) : '');
  const target = [to, number('value'), rlpBytes(input)];
  const sides = [number('r'), number('s')];
  if (type === 0n)
    return rlpList([number('nonce'), number('gasPrice'), number('gas'), ...target, number('v'), ...sides]);
  const list = rlpList([
    number('chainId'),
    number('nonce'),
    ...(type === 1n ? [number('gasPrice')] : [number('maxPriorityFeePerGas'), number('maxFeePerGas')]),
    number('gas'),
    ...target,
    rlpList(member.list('accessList').map(encodeAccess)),
    ...(type === 3n ? [number('maxFeePerBlobGas'), rlpList(textsOf(member, 'blobVersionedHashes'))] : []),
    ...(type === 4n ? [rlpList(member.list('authorizationList').map(encodeAuthorization))] : []),
    number(member.has('yParity') ? 'yParity' : 'v'),
    ...sides,
  ]);
  return numberBytes(type) + list;
}

function encodeAccess(value: unknown): string {
  const member = new Members(value, 'an access list');
  return rlpList([rlpBytes(member.bytes('address', 20)), rlpList(textsOf(member, 'storageKeys'))]);
}

function encodeAuthorization(value: unknown): string {
  const member = new Members(value, 'an authorization');
  const number = (name: string) => rlpBytes(member.shortest(name));
  const address = rlpBytes(member.bytes('address', 20));
  return rlpList([number('chainId'), address, ...['nonce', 'yParity', 'r', 's'].map(number)]);
}

/** 32 bytes each. */
const textsOf = (member: Members, name: string): string[] =>
  member.texts(name, 32).map((each) => rlpBytes(each.slice(2)));
