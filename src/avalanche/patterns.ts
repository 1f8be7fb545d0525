/**
 * What ids, hashes and addresses look like, as far as a regular expression can say: it cannot check
 * checksums. Not anchored, so that several can be combined for one value: see `only`. Written for the engines
 * of all generated clients, which have no flags.
 */
export const base58 = '[1-9A-HJ-NP-Za-km-z]';
const hexDigits = (count: number) => `[0-9a-fA-F]{${count}}`;

/** 32 bytes and a checksum of 4 in base58: 37 characters where 31 or 32 of the bytes are zero, 50 at most. */
export const ID = `${base58}{37,50}`;
/** 20 bytes and a checksum of 4 in base58. */
export const NODE_ID = `NodeID-${base58}{25,33}`;
/** 20 bytes in bech32, as replies print them. */
export const ADDRESS = '(?:avax|fuji)1[02-9ac-hj-np-z]{38}';
/** The same of any network: private ones have prefixes of their own. */
export const ANY_ADDRESS = '[a-z]{1,20}1[02-9ac-hj-np-z]{38}';
/** An address as requests may give it: with the prefix of a chain, in lower or upper case. */
export const GIVEN_ADDRESS = `(?:[PXC]-)?(?:${ADDRESS}|(?:AVAX|FUJI)1[02-9AC-HJ-NP-Z]{38})`;
export const EVM_ADDRESS = `0x${hexDigits(40)}`;
export const EVM_HASH = `0x${hexDigits(64)}`;
/** Bytes in hex; none is allowed too. */
export const BYTES = '0x(?:[0-9a-fA-F]{2})*';
/** The same two as requests may give them. */
export const GIVEN_EVM_ADDRESS = `0[xX]${hexDigits(40)}`;
export const GIVEN_EVM_HASH = `0[xX]${hexDigits(64)}`;
/** 32 bytes in hex, with 0x or without. */
export const GIVEN_MESSAGE_ID = `(?:0[xX])?${hexDigits(64)}`;
/** A whole number of any size that is stored. */
export const DIGITS = '[0-9]{1,78}';

/**
 * Digits of a whole number up to this one, with leading zeros up to its length: exactly, which no keyword of
 * a text can say.
 */
export function digitsUpTo(largest: bigint): string {
  const digits = String(largest);
  const { length } = digits;
  const smaller = [...digits].flatMap((digit, index) => {
    const rest = length - index - 1;
    const below = digit === '0' ? [] : [digit === '1' ? '0' : `[0-${Number(digit) - 1}]`];
    return below.map((first) => `${digits.slice(0, index)}${first}${rest === 0 ? '' : `[0-9]{${rest}}`}`);
  });
  return `(?:[0-9]{1,${length - 1}}|${smaller.join('|')}|${digits})`;
}

/** A pattern for a value that is of one of the forms, and nothing else. */
export const only = (...forms: readonly string[]): string =>
  forms.length === 1 ? `^${forms[0]}$` : `^(?:${forms.join('|')})$`;

/**
 * The same as schemas of members. Their patterns have no comma and no backslash: generated Go puts them into
 * tags, which end at a comma. Their lengths are bounded by separate keywords.
 */
export const idForm = { pattern: only(`${base58}+`), minLength: 37, maxLength: 50 };
export const nodeIdForm = { pattern: only(`NodeID-${base58}+`), minLength: 32, maxLength: 40 };
/** The hash of a block: on the C-chain that of its EVM block. */
export const blockHashForm = { pattern: only(`${base58}+`, EVM_HASH), maxLength: 66 };
export const digitsForm = { pattern: only('[0-9]+'), maxLength: 78 };
