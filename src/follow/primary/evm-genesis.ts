import { parseJson, printJson } from '../../json.js';
import { LONGEST_GENESIS } from '../../rows/bounds.js';
import { accountsAmong, changesOf } from '../evm/config-changes.js';

/** Members whose numbers stay numbers (docs/contract.md, "Transactions"). */
const keptNumbers = new Set(['airdropAmount', 'baseFeePerGas']);

/**
 * A blockchain's genesis as rows have it (docs/contract.md, "Transactions"): an object when the bytes are the genesis of
 * an EVM chain, else their base64. Undefined for one that is longer than a row may have.
 */
export function genesisData(bytes: Uint8Array): unknown {
  const genesis = evmGenesis(bytes);
  const text = genesis === null ? Buffer.from(bytes).toString('base64') : genesis;
  return (typeof text === 'string' ? text : printJson(text)).length > LONGEST_GENESIS ? undefined : text;
}

/** The accounts to which a genesis gives coins. */
export interface AccountsOfGenesis {
  /** 0x and 40 digits in lower case. */
  readonly accounts: readonly string[];
  /** Whether there are no others. */
  readonly isWhole: boolean;
}

/**
 * Those of an EVM chain's genesis; null for another virtual machine's genesis. An airdrop of subnet-evm gives coins to
 * accounts of a file, of which the genesis has the hash alone.
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

/** The EVM chain id of an EVM chain's genesis, decimal digits; null for another virtual machine's genesis, or without one. */
export function evmChainIdOfGenesis(bytes: Uint8Array): string | null {
  const { chainId } = (readGenesis(bytes)?.['config'] ?? {}) as { chainId?: unknown };
  return typeof chainId === 'number' || typeof chainId === 'bigint' ? String(chainId) : null;
}

function evmGenesis(bytes: Uint8Array): object | null {
  const genesis = readGenesis(bytes);
  if (genesis === null) return null;
  try {
    return Object.fromEntries(
      Object.entries(genesis).map(([name, member]) => [name, memberOf(name, member)]),
    );
  } catch {
    // A number that is none.
    return null;
  }
}

type EvmGenesis = Readonly<Record<string, unknown> & { alloc: Record<string, unknown> }>;

function readGenesis(bytes: Uint8Array): EvmGenesis | null {
  try {
    const value = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
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
    (typeof value === 'string' && /^\d+$/.test(value));
  return isNumber ? `0x${BigInt(value as number).toString(16)}` : value;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
