import { RowError, IngestError } from '../../ingest/errors.js';
import { asDigits, asObject, asText, asWhole, wrong, type JsonObject } from '../../ingest/check.js';
import type { ImportKind, ImportScope } from '../../ingest/kind.js';
import type { ScopeParts } from '../../ingest/scope.js';
import { quote } from '../../errors.js';
import { parseEvmAddress } from './address.js';
import { parseDay } from './day.js';
import { coin, collection, MAX_EVM_CHAIN_ID, token, type Holding } from './holding.js';
import { writeBalances, type BalanceRow } from './import-store.js';

/** The scope of files of one EVM chain. */
interface EvmScope extends ImportScope {
  readonly evmChainId: bigint;
}

const MAX_BALANCE = 2n ** 256n - 1n;
const readBalance = asDigits(MAX_BALANCE);

const balanceKind = {
  tables: ['evm_balance', 'evm_address', 'evm_holding', 'evm_holding_version'],
  write: (client, _scope, rows) => writeBalances(client, rows),
} satisfies Partial<ImportKind<BalanceRow>>;

/** Balances of a chain's coin by day. */
export const nativeBalanceImport = balanceImport('native-balances', (row, evmChainId) => ({
  holding: coin(evmChainId),
  balance: readBalance(row['balance'], 'balance'),
}));

/** Balances of ERC-20 tokens by day. */
export const erc20BalanceImport = balanceImport('erc20-balances', (row, evmChainId) => ({
  holding: token(evmChainId, asEvmAddress(row['contractAddress'], 'contractAddress')),
  balance: readBalance(row['balance'], 'balance'),
}));

/** How many NFTs of a contract addresses held, by day. */
export const nftHoldingImport = balanceImport('nft-holdings', (row, evmChainId) => ({
  holding: collection(evmChainId, asEvmAddress(row['contractAddress'], 'contractAddress')),
  balance: asCount(row['tokenCount'], 'tokenCount'),
}));

/** Native balances of several chains in one file; of a balance only a lower bound is known, which counts as it. */
export const nativeBalanceDailyImport: ImportKind<BalanceRow> = {
  ...balanceKind,
  name: 'native-balance-daily',
  file: /^evm\.native-balance-daily(?:\.|$)/,
  example: 'evm.native-balance-daily.ndjson',
  scope: () => ({ network: null }),
  read(value) {
    const row = asObject(value, 'row');
    const evmChainId = parseChainId(asText(row['evmChainId'], 'evmChainId'));
    if (evmChainId === null)
      throw wrong('evmChainId', row['evmChainId'], 'an EVM chain id in decimal digits');
    const balance = readBalance(row['minBalance'], 'minBalance');
    return { ...readHolder(row), holding: coin(evmChainId), balance };
  },
};

function balanceImport(
  name: string,
  read: (row: JsonObject, evmChainId: bigint) => { holding: Holding; balance: string },
): ImportKind<BalanceRow, EvmScope> {
  return {
    ...balanceKind,
    name,
    file: new RegExp(String.raw`^evm\.(?<chain>\d+)\.${name}(?:\.|$)`),
    example: `evm.43114.${name}.ndjson`,
    scope: evmScope,
    read(value, { evmChainId }) {
      const row = asObject(value, 'row');
      return { ...readHolder(row), ...read(row, evmChainId) };
    },
  };
}

function readHolder(row: JsonObject): Pick<BalanceRow, 'address' | 'day'> {
  return { address: asEvmAddress(row['address'], 'address'), day: asDay(row['date'], 'date') };
}

function evmScope({ chain }: ScopeParts): EvmScope {
  const evmChainId = chain === undefined ? null : parseChainId(chain);
  if (evmChainId !== null) return { network: null, evmChainId };
  const problem = chain === undefined ? 'the chain is missing' : `${quote(chain)} is not an EVM chain id`;
  throw new IngestError(`${problem}; --chain takes the decimal id, for example 43114`);
}

function parseChainId(text: string): bigint | null {
  if (!/^(0|[1-9]\d{0,18})$/.test(text)) return null;
  const id = BigInt(text);
  return id <= MAX_EVM_CHAIN_ID ? id : null;
}

function asDay(value: unknown, name: string): number {
  const day = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? parseDay(value) : null;
  if (day === null) throw wrong(name, value, 'a date, YYYY-MM-DD');
  return day;
}

function asEvmAddress(value: unknown, name: string): string {
  const address = parseEvmAddress(asText(value, name));
  if (address === null)
    throw new RowError(`${name}: ${quote(asText(value, name))} is not 0x and 40 hex digits`);
  return address;
}

/** A count as a JSON number or as digits. */
function asCount(value: unknown, name: string): string {
  return typeof value === 'string' ? readBalance(value, name) : asWhole(MAX_BALANCE)(value, name);
}
