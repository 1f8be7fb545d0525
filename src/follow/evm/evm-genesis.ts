import { parseJson, printJson } from '../../json.js';
import { BEYOND_RANGE } from '../../numbers.js';
import { isGenesis } from '../../resources/transaction/import-genesis.js';
import { LONGEST_GENESIS } from '../../rows/bounds.js';
import { MOST_LEVELS, unstorable } from '../../rows/storable-json.js';
import { accountsAmong, changesOf } from './config-changes.js';

/** Members whose numbers stay numbers (docs/contract.md, "Transactions"). */
const keptNumbers = new Set(['airdropAmount', 'baseFeePerGas']);
/** Levels of it: a row has it in its `blockchainInfo`. */
const GENESIS_LEVELS = MOST_LEVELS - 2;
/**
 * Digits of the largest number of 256 bits: an EVM has no larger ones, and to convert one takes time with the
 * square of its length.
 */
const MOST_DIGITS = 78;

/**
 * A blockchain's genesis as rows have it (docs/contract.md, "Transactions"): an object when the bytes are the
 * genesis of an EVM chain, else their base64. Anybody may make a chain, and no node looks into its genesis:
 * one that is an EVM chain's by its members alone, and cannot be stored or shown as one, is base64 too.
 * Undefined for one that is longer than a row may have.
 */
export function genesisData(bytes: Uint8Array): unknown {
  const genesis = evmGenesis(bytes);
  if (genesis !== null && isShort(printJson(genesis))) return genesis;
  const encoded = Buffer.from(bytes).toString('base64');
  return isShort(encoded) ? encoded : undefined;
}

const isShort = (text: string) => Buffer.byteLength(text) <= LONGEST_GENESIS;

/** The accounts with coins in a genesis. */
export interface AccountsOfGenesis {
  /** 0x and 40 digits in lower case. */
  readonly accounts: readonly string[];
  /** Whether there are no others. */
  readonly isWhole: boolean;
}

/**
 * Those of an EVM chain's genesis; null for another virtual machine's genesis. The accounts of an airdrop of
 * subnet-evm are in a file, and the genesis has only its hash.
 */
export function accountsOfGenesis(bytes: Uint8Array): AccountsOfGenesis | null {
  const genesis = readGenesis(bytes);
  if (genesis === null) return null;
  const minted = changesOf(genesis['config'] as Readonly<Record<string, unknown>>).flatMap(
    ({ accounts }) => accounts,
  );
  const airdrop = genesis['airdropHash'] ?? '';
  return {
    accounts: [...accountsAmong(Object.keys(genesis.alloc)), ...minted],
    isWhole: typeof airdrop === 'string' && /^(?:0x0*)?$/.test(airdrop),
  };
}

/**
 * The EVM chain id of an EVM chain's genesis, decimal digits; null for another virtual machine's genesis, or
 * without one.
 */
export function evmChainIdOfGenesis(bytes: Uint8Array): string | null {
  const { chainId } = (readGenesis(bytes)?.['config'] ?? {}) as { chainId?: unknown };
  return typeof chainId === 'number' || typeof chainId === 'bigint' ? String(chainId) : null;
}

function evmGenesis(bytes: Uint8Array): object | null {
  const genesis = readGenesis(bytes);
  if (genesis === null || !isStorable(genesis, bytes)) return null;
  const shown = Object.fromEntries(
    Object.entries(genesis).map(([name, member]) => [name, memberOf(name, member)]),
  );
  return isGenesis(shown) ? shown : null;
}

/** Whether PostgreSQL can hold it, and its numbers are those of the bytes. */
const isStorable = (genesis: EvmGenesis, bytes: Uint8Array) =>
  unstorable(genesis, Buffer.from(bytes).toString(), GENESIS_LEVELS) === null && isExact(genesis);

function isExact(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value === 'bigint') return value < BEYOND_RANGE && value > -BEYOND_RANGE;
  return typeof value !== 'object' || value === null || Object.values(value).every(isExact);
}

type EvmGenesis = Readonly<Record<string, unknown> & { alloc: Record<string, unknown> }>;

function readGenesis(bytes: Uint8Array): EvmGenesis | null {
  try {
    const value = parseJson(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
    return isObject(value) && isObject(value['config']) && isObject(value['alloc'])
      ? (value as EvmGenesis)
      : null;
  } catch {
    // No JSON: another virtual machine's genesis.
    return null;
  }
}

function memberOf(name: string, member: unknown): unknown {
  if (name === 'alloc') return accounts(member as Record<string, unknown>);
  return name === 'config' || keptNumbers.has(name) ? member : inHex(member);
}

function accounts(alloc: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(alloc).map(([address, account]) => [
    address,
    isObject(account)
      ? Object.fromEntries(Object.entries(account).map(([name, value]) => [name, inHex(value)]))
      : account,
  ]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

/** Numbers as hex, decimal digits too: writers of a genesis may use either. */
function inHex(value: unknown): unknown {
  const isNumber =
    typeof value === 'bigint' ||
    Number.isSafeInteger(value) ||
    (typeof value === 'string' && value.length <= MOST_DIGITS && /^\d+$/.test(value));
  return isNumber ? `0x${BigInt(value as number).toString(16)}` : value;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
