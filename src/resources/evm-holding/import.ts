import { RowError } from '../../rows/errors.js';
import { asDigits, asObject, asText, asWhole, LATEST_SECOND, wrong } from '../../rows/check.js';
import type { Unchecked } from '../../rows/check.js';
import { evmScope } from '../../ingest/scope.js';
import type { EvmScope, WriteScope } from '../../write/scope.js';
import type { RowKind } from '../../write/kind.js';
import type { FileKind } from '../../ingest/kind.js';
import { quote } from '../../errors.js';
import { dayOf } from '../../avalanche/seconds.js';
import { parseDay } from './day.js';
import { MAX_EVM_CHAIN_ID, parseAddressDigits, erc20Holding, nativeHolding, nftHolding } from './holding.js';
import type { Holding } from './holding.js';
import { writeLowerBounds, writeUnknownDays } from './import-bounds.js';
import { writeEvmBalances, type BalanceRow } from './write.js';

interface HoldingLine {
  /** `YYYY-MM-DD`. */
  date: string;
  address: string;
}

export interface NativeBalanceLine extends HoldingLine {
  balance: string;
}

export interface Erc20BalanceLine extends NativeBalanceLine {
  contractAddress: string;
}

export interface NftHoldingLine extends HoldingLine {
  contractAddress: string;
  tokenCount: number | string;
}

interface NativeBalanceDailyLine extends HoldingLine {
  evmChainId: string;
  minBalance: string;
}

// As for times: a later day would be the newest for ever.
const LATEST_DAY = dayOf(Number(LATEST_SECOND));
const latestDate = new Date(Number(LATEST_SECOND) * 1000).toISOString().slice(0, 10);
/** More does not fit in a row of balances. */
export const MAX_BALANCE = 2n ** 256n - 1n;
const readBalance = asDigits(MAX_BALANCE);

const balanceRows = {
  tables: ['evm_balance', 'evm_address', 'evm_holding', 'evm_holding_version'],
  lock: () => null,
  write: (client, _scope, rows) => writeEvmBalances(client, rows),
} satisfies Partial<RowKind<BalanceRow>>;

/** Balances of a chain's coin by day. */
export const nativeBalanceImport = balanceImport<NativeBalanceLine>('native-balances', (row, evmChainId) => ({
  holding: nativeHolding(evmChainId),
  balance: readBalance(row.balance, 'balance'),
}));

/** Balances of ERC-20 tokens by day. */
export const erc20BalanceImport = balanceImport<Erc20BalanceLine>('erc20-balances', (row, evmChainId) => ({
  holding: erc20Holding(evmChainId, asAddressDigits(row.contractAddress, 'contractAddress')),
  balance: readBalance(row.balance, 'balance'),
}));

/** How many NFTs of a contract addresses owned, by day. */
export const nftHoldingImport = balanceImport<NftHoldingLine>('nft-holdings', (row, evmChainId) => ({
  holding: nftHolding(evmChainId, asAddressDigits(row.contractAddress, 'contractAddress')),
  balance: asCount(row.tokenCount, 'tokenCount'),
}));

/** The same kind for balances that count only where nothing is known of the day yet. */
export const ofUnknownDays = <Scope extends WriteScope>(
  kind: RowKind<BalanceRow, Scope>,
): RowKind<BalanceRow, Scope> => ({
  ...kind,
  write: (client, _scope, rows) => writeUnknownDays(client, rows),
});

/**
 * Native balances of several chains in one file. Of these only a lower bound is known, which counts as the
 * balance while nothing more is known of its day.
 */
export const nativeBalanceDailyImport: FileKind<BalanceRow> = {
  name: 'native-balance-daily',
  file: /^evm\.native-balance-daily(?:\.|$)/,
  example: 'evm.native-balance-daily.ndjson',
  scope: () => ({}),
  rows: {
    ...balanceRows,
    write: (client, _scope, rows) => writeLowerBounds(client, rows),
    read(value) {
      const row = asObject<NativeBalanceDailyLine>(value, 'row');
      const evmChainId = parseChainId(asText(row.evmChainId, 'evmChainId'));
      if (evmChainId === null) throw wrong('evmChainId', row.evmChainId, 'an EVM chain id in decimal digits');
      const balance = readBalance(row.minBalance, 'minBalance');
      return { ...readHolder(row), holding: nativeHolding(evmChainId), balance };
    },
  },
};

function balanceImport<Line extends HoldingLine>(
  name: string,
  read: (row: Unchecked<Line>, evmChainId: bigint) => { holding: Holding; balance: string },
): FileKind<BalanceRow, EvmScope<bigint>> {
  return {
    name,
    file: new RegExp(String.raw`^evm\.(?<chain>\d+)\.${name}(?:\.|$)`),
    example: `evm.43114.${name}.ndjson`,
    scope: evmScope(parseChainId),
    rows: {
      ...balanceRows,
      read(value, { evmChainId }) {
        const row = asObject<Line>(value, 'row');
        return { ...readHolder(row), ...read(row, evmChainId) };
      },
    },
  };
}

function readHolder(row: Unchecked<HoldingLine>): Pick<BalanceRow, 'address' | 'day'> {
  return { address: asAddressDigits(row.address, 'address'), day: asDay(row.date, 'date') };
}

function parseChainId(text: string): bigint | null {
  if (!/^(0|[1-9]\d{0,18})$/.test(text)) return null;
  const id = BigInt(text);
  return id <= MAX_EVM_CHAIN_ID ? id : null;
}

function asDay(value: unknown, name: string): number {
  const day = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? parseDay(value) : null;
  if (day === null || day < 0) throw wrong(name, value, 'a date from 1970-01-01 on, YYYY-MM-DD');
  if (day > LATEST_DAY) throw wrong(name, value, `a date up to ${latestDate}`);
  return day;
}

function asAddressDigits(value: unknown, name: string): string {
  const address = parseAddressDigits(asText(value, name));
  if (address === null)
    throw new RowError(`${name}: ${quote(asText(value, name))} is not 0x and 40 hex digits`);
  return address;
}

/** A count as a JSON number or as digits. */
function asCount(value: unknown, name: string): string {
  return typeof value === 'string' ? readBalance(value, name) : asWhole(MAX_BALANCE)(value, name);
}
