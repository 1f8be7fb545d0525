import { bech32 } from '@scure/base';
import type { Hex } from 'viem';
import { decodeCb58, isId } from './cb58.js';
import { parseEvmAddress } from './evm.js';
import { identityOf } from './identity.js';
import { networks, primaryChains, type Network, type PrimaryChain } from './networks.js';

/** What a text is by its form alone, written as replies write it. */
export type Form =
  /** An address of the primary network, without the prefix of a chain. */
  | { is: 'address'; network: Network; address: string }
  /** 32 bytes in CB58. */
  | { is: 'id'; id: string }
  /** `NodeID-…`. */
  | { is: 'node'; nodeId: string }
  /** Decimal digits without leading zeros, below 10^20. */
  | { is: 'number'; number: string }
  /** With the checksum of EIP-55. */
  | { is: 'evmAddress'; address: Hex }
  /** 0x and 64 digits in lower case. */
  | { is: 'evmHash'; hash: Hex }
  /** A token of a contract: with the checksum of EIP-55, and decimal digits up to 2^256-1. */
  | { is: 'token'; address: Hex; tokenId: string }
  /** A chain by its alias. */
  | { is: 'chain'; chain: PrimaryChain };

/** What was read of a text: it has no form, or something is wrong with it, or both. */
interface Read {
  form: Form | null;
  /** Sentences for people; null if nothing is wrong. */
  problem: string | null;
}

export type TextForm = Read & {
  /** The text without invisible characters. */
  text: string;
};

/** Most digits of a block's number: those of 2^64. */
const MOST_DIGITS = 20;
const ADDRESS_BYTES = 20;
const NODE_BYTES = 20;

/**
 * Says what a person's text is: an id, an address, a hash or a number, of any chain. Spaces around it,
 * control characters and invisible ones are ignored, capitals where they mean nothing.
 *
 * @param given of any length; reading takes time in proportion to it
 */
export function formOf(given: string): TextForm {
  const text = given.replace(/[\p{Cc}\p{Cf}]/gu, (character) => (/\s/.test(character) ? ' ' : '')).trim();
  for (const read of readers) {
    const found = read(text);
    if (found) return { text, ...found };
  }
  return { text, ...wrong(UNKNOWN) };
}

const UNKNOWN =
  'This has the form of no address, hash, id or block number. Ids are written in CB58, node ids begin with NodeID-, EVM addresses and hashes with 0x. Names are not searched.';

const right = (form: Form): Read => ({ form, problem: null });
const wrong = (problem: string): Read => ({ form: null, problem });

/** The first that knows the text reads it; null from those that do not. */
const readers: readonly ((text: string) => Read | null)[] = [
  (text) => (text === '' ? wrong('The text is empty.') : null),
  readAlias,
  readNode,
  readToken,
  readHex,
  (text) => (isId(text) ? right({ is: 'id', id: text }) : null),
  readAddress,
  readNumber,
  readOtherId,
];

function readAlias(text: string): Read | null {
  const chain = primaryChains.find((each) => text.toLowerCase() === `${each}-chain`);
  return chain ? right({ is: 'chain', chain }) : null;
}

function readNode(text: string): Read | null {
  const [, id] = /^nodeid-(.*)$/is.exec(text) ?? [];
  if (id === undefined) return null;
  if (decodeCb58(id)?.length === NODE_BYTES) return right({ is: 'node', nodeId: `NodeID-${id}` });
  return wrong(
    'This looks like a node id, but its checksum or its length is wrong: a character may be missing or different.',
  );
}

function readToken(text: string): Read | null {
  const [, contract = '', tokenId] = /^(0x[0-9a-f]{40}) ?: ?(\d+)$/i.exec(text) ?? [];
  const address = parseEvmAddress(lowPrefix(contract));
  if (!address || tokenId === undefined) return null;
  if (tokenId.length > 78 || BigInt(tokenId) >= 2n ** 256n)
    return wrong('The id of a token is at most 2^256-1, and this one is larger.');
  const token = { is: 'token', address, tokenId: String(BigInt(tokenId)) } as const;
  return { form: token, problem: capitalsOf(contract, address) };
}

/** Hexadecimal digits: with 0x of any number, without it as many as an address or a hash has. */
function readHex(text: string): Read | null {
  const [, prefix, digits = ''] = /^(0x)?([^]*)$/i.exec(text) ?? [];
  const isHex = /^[0-9a-f]*$/i.test(digits);
  if (prefix === undefined && !(isHex && (digits.length === 64 || (digits.length === 40 && !isId(digits)))))
    return null;
  if (!isHex) return wrong('This begins with 0x, but has characters that are no hexadecimal digits.');
  if (digits.length === 64) return right({ is: 'evmHash', hash: `0x${digits.toLowerCase()}` });
  const address = parseEvmAddress(`0x${digits}`);
  if (address) return { form: { is: 'evmAddress', address }, problem: capitalsOf(digits, address) };
  return wrong(
    `This has ${digits.length} hexadecimal digits; an EVM address has 40, and a hash or the id of a message 64.`,
  );
}

const lowPrefix = (hex: string) => hex.replace(/^0X/, '0x');

/** What capitals of an EVM address say: both kinds of letters are a checksum (EIP-55). */
function capitalsOf(given: string, address: Hex): string | null {
  const digits = given.replace(/^0x/i, '');
  const isMixed = /[a-f]/.test(digits) && /[A-F]/.test(digits);
  if (!isMixed || address.endsWith(digits)) return null;
  return 'The capitals of this EVM address are not those of its checksum (EIP-55): a digit may be wrong.';
}

function readAddress(text: string): Read | null {
  const [, prefix, bare = '', hrp = ''] =
    /^(?:([a-z]{1,20})-)?(([a-z]{1,20})1[a-z0-9]{6,80})$/i.exec(text) ?? [];
  const network = networks.find((each) => identityOf(each).hrp === hrp.toLowerCase());
  const bytes = bytesOf(bare);
  if (!network) {
    if (bytes?.length !== ADDRESS_BYTES) return null;
    const known = networks.map((each) => `${identityOf(each).hrp}1 on ${each}`);
    return wrong(
      `This is an address of a network that is not here: it begins with ${hrp.toLowerCase()}1. Addresses begin with ${known.join(' and ')}.`,
    );
  }
  if (prefix !== undefined && !/^[pxc]$/i.test(prefix))
    return wrong(`This looks like an address of ${network}, but no chain has the prefix ${prefix}-.`);
  if (/[a-z]/.test(bare) && /[A-Z]/.test(bare))
    return wrong(`This looks like an address of ${network}, but mixes capitals and small letters.`);
  if (!bytes)
    return wrong(
      `This looks like an address of ${network}, but its checksum is wrong: a character may be missing or different.`,
    );
  if (bytes.length !== ADDRESS_BYTES)
    return wrong(`This looks like an address of ${network}, but has ${bytes.length} bytes instead of 20.`);
  return right({ is: 'address', network, address: bare.toLowerCase() });
}

/** The bytes in a Bech32 text; undefined if its checksum is wrong. */
function bytesOf(bare: string): Uint8Array | undefined {
  const decoded = bech32.decodeUnsafe(bare);
  return (decoded && bech32.fromWordsUnsafe(decoded.words)) || undefined;
}

function readNumber(text: string): Read | null {
  if (!/^\d+$/.test(text)) return null;
  const number = text.replace(/^0+(?=\d)/, '');
  if (number.length <= MOST_DIGITS) return right({ is: 'number', number });
  return wrong('This number is larger than that of any block and the id of any EVM chain.');
}

/** A node id without its beginning, or what is nearly an id of 32 bytes. */
function readOtherId(text: string): Read | null {
  if (decodeCb58(text)?.length === NODE_BYTES) return right({ is: 'node', nodeId: `NodeID-${text}` });
  if (!/^[1-9A-HJ-NP-Za-km-z]{37,60}$/.test(text)) return null;
  return wrong('This looks like an id, but its checksum is wrong: a character may be missing or different.');
}
