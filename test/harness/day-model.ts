import { identityOf } from '../../src/avalanche/identity.js';
import { primaryChains, type Network } from '../../src/avalanche/networks.js';
import type { Storage } from '../../src/storage/open.js';
import { poolOf } from './connections.js';

/** What of a stored transaction its day's numbers are counted from. */
export interface CountedTransaction {
  chain: string;
  txType: string;
  /** Unix seconds. */
  time: number;
  /** AVAX, nAVAX. */
  burned: bigint;
  value: bigint;
  staked: bigint;
  start: number | null;
  end: number | null;
  /** Owners of what it consumed and emitted, perhaps several times. */
  addresses: readonly string[];
}

const validates = ['AddValidatorTx', 'AddPermissionlessValidatorTx'];
const delegates = ['AddDelegatorTx', 'AddPermissionlessDelegatorTx'];
/** Those that replies do not name. */
const unpublished = [
  'AddAutoRenewedValidatorTx',
  'SetAutoRenewedValidatorConfigTx',
  'RewardAutoRenewedValidatorTx',
];
const dayOf = (time: number) => Math.floor(time / 86_400);
const groupBy = <T>(all: readonly T[], keyOf: (each: T) => string) => {
  const groups = new Map<string, T[]>();
  for (const each of all) {
    const group = groups.get(keyOf(each));
    if (group) group.push(each);
    else groups.set(keyOf(each), [each]);
  }
  return [...groups];
};
const sum = (amounts: readonly bigint[]) => amounts.reduce((total, each) => total + each, 0n);

/** How many addresses some transactions of each day have, and how many of them no earlier day had. */
function activity(all: readonly CountedTransaction[]) {
  const first = new Map<string, number>();
  const days = new Map<number, Set<string>>();
  for (const { time, addresses } of all) {
    const day = dayOf(time);
    const on = days.get(day) ?? new Set();
    days.set(day, on);
    for (const each of addresses) {
      on.add(each);
      first.set(each, Math.min(day, first.get(each) ?? Infinity));
    }
  }
  return (day: number) => {
    const on = [...(days.get(day) ?? [])];
    return [on.length, on.filter((each) => first.get(each) === day).length] as const;
  };
}

/** The rows of the tables of days, without their network, as sorted texts. */
export function dayRows(all: readonly CountedTransaction[]): Record<string, string[]> {
  const days = [...new Set(all.map(({ time }) => dayOf(time)))];
  const byType = groupBy(all, ({ time, chain, txType }) => `${dayOf(time)} ${chain} ${txType}`);
  const scopes = ['network', ...primaryChains].map((scope) => {
    const own = all.filter(({ chain }) => scope === 'network' || chain === scope);
    return [scope, activity(own)] as const;
  });
  const active = days.flatMap((day) =>
    scopes.flatMap(([scope, on]) => (on(day)[0] > 0 ? [`${day} ${scope} ${on(day).join(' ')}`] : [])),
  );
  return {
    transaction_day: byType
      .map(([key, rows]) =>
        [key, rows.length, sum(rows.map(({ burned }) => burned)), sum(rows.map(({ value }) => value))].join(
          ' ',
        ),
      )
      .sort(),
    stake_day: stakeRows(all),
    active_address_day: active.sort(),
  };
}

const stakesOf = (all: readonly CountedTransaction[], types: readonly string[]) =>
  all.filter(
    ({ txType, staked, start, end }) =>
      types.includes(txType) && staked > 0n && start !== null && end !== null,
  ) as (CountedTransaction & { start: number; end: number })[];

function stakeRows(all: readonly CountedTransaction[]): string[] {
  const [validators, delegators] = [stakesOf(all, validates), stakesOf(all, delegates)];
  const days = new Set(
    [...validators, ...delegators].flatMap(({ start, end }) => [dayOf(start), dayOf(end)]),
  );
  return [...days]
    .map((day) => {
      const counts = [validators, delegators].flatMap((stakes) => {
        const started = stakes.filter(({ start }) => dayOf(start) === day);
        const ended = stakes.filter(({ end }) => dayOf(end) === day);
        const weight = (of: readonly CountedTransaction[]) => sum(of.map(({ staked }) => staked));
        return [started.length, ended.length, weight(started), weight(ended)];
      });
      return [day, ...counts].join(' ');
    })
    .sort();
}

/** The stored rows in the same form. */
export async function storedDayRows(storage: Storage, network: Network): Promise<Record<string, string[]>> {
  const columns = {
    transaction_day: 'day, chain, tx_type, transactions, burned, value',
    stake_day: `day, validators_started, validators_ended, validator_weight_started, validator_weight_ended,
      delegators_started, delegators_ended, delegator_weight_started, delegator_weight_ended`,
    active_address_day: 'day, scope, active, newcomers',
  };
  const found: Record<string, string[]> = {};
  for (const [table, names] of Object.entries(columns)) {
    const { rows } = await poolOf(storage).query<{ row: string }>(
      `SELECT concat_ws(' ', ${names}) AS row FROM ${table} WHERE network = $1`,
      [network],
    );
    found[table] = rows.map(({ row }) => row).sort();
  }
  return found;
}

/** The stored transactions of a network, each with the owners of its lists. */
export async function countedTransactions(storage: Storage, network: Network): Promise<CountedTransaction[]> {
  const { rows } = await poolOf(storage).query<{
    chain: string;
    txType: string;
    time: string;
    details: Record<string, unknown>;
    addresses: string[];
  }>(
    `SELECT t.chain, t.tx_type AS "txType", t.block_timestamp::text AS time, t.details,
       ARRAY(SELECT unnest(u.addresses) FROM (
         SELECT utxo_row_id FROM transaction_output o WHERE o.transaction_id = t.id
         UNION SELECT utxo_row_id FROM transaction_input i WHERE i.transaction_id = t.id) l
         JOIN utxo u ON u.id = l.utxo_row_id) AS addresses
     FROM transaction t WHERE t.network = $1`,
    [network],
  );
  const { nativeAssetId } = identityOf(network);
  const avax = (amounts: unknown) =>
    sum(
      ((amounts ?? []) as { assetId: string; amount: string }[])
        .filter(({ assetId }) => assetId === nativeAssetId)
        .map(({ amount }) => BigInt(amount)),
    );
  const seconds = (value: unknown) => (value === undefined ? null : Number(value));
  return rows.map(({ details, time, ...row }) => ({
    ...row,
    time: Number(time),
    burned: avax(details['amountBurned']),
    value: avax(details['value']),
    staked: avax(details['amountStaked']),
    start: seconds(details['startTimestamp']),
    end: seconds(details['endTimestamp']),
  }));
}

/** What networkStats says of a day, but for isRunning and messageCount. */
export function networkDays(all: readonly CountedTransaction[]): (day: number) => Record<string, unknown> {
  const whole = numbersOf(all);
  const chains = primaryChains.map(
    (chain) => [`${chain}-chain`, numbersOf(all.filter((each) => each.chain === chain))] as const,
  );
  const [validators, delegators] = [stakesOf(all, validates), stakesOf(all, delegates)];
  return (day) => {
    const running = ({ start, end }: { start: number; end: number }) =>
      dayOf(start) <= day && dayOf(end) > day;
    const weight = (of: readonly CountedTransaction[]) => String(sum(of.map(({ staked }) => staked)));
    const { txCount, amountBurned, value, activeAddresses, newAddresses } = whole(day);
    return {
      timestamp: day * 86_400,
      txCount,
      amountBurned,
      value,
      activeAddresses,
      newAddresses,
      validatorCount: validators.filter(running).length,
      validatorWeight: weight(validators.filter(running)),
      delegatorCount: delegators.filter(running).length,
      delegatorWeight: weight(delegators.filter(running)),
      chains: chains.map(([blockchainAlias, of]) => ({ blockchainAlias, ...of(day) })),
    };
  };
}

/** The numbers of some transactions on a day. */
function numbersOf(all: readonly CountedTransaction[]) {
  const on = activity(all);
  const days = new Map(groupBy(all, ({ time }) => String(dayOf(time))));
  const shown = ({ txType }: CountedTransaction) => (unpublished.includes(txType) ? 'UNKNOWN' : txType);
  return (day: number) => {
    const rows = days.get(String(day)) ?? [];
    const types = groupBy(rows, shown).map(([txType, own]) => ({ txType, ...sumsOf(own) }));
    types.sort((a, b) => b.txCount - a.txCount || (a.txType < b.txType ? -1 : 1));
    const [activeAddresses, newAddresses] = on(day);
    return { ...sumsOf(rows), activeAddresses, newAddresses, types };
  };
}

const sumsOf = (rows: readonly CountedTransaction[]) => ({
  txCount: rows.length,
  amountBurned: String(sum(rows.map(({ burned }) => burned))),
  value: String(sum(rows.map(({ value }) => value))),
});

/** The document's selection of a day that the model says. */
export const networkDaySelection = `timestamp txCount amountBurned value activeAddresses newAddresses
  validatorCount validatorWeight delegatorCount delegatorWeight
  chains { blockchainAlias txCount amountBurned value activeAddresses newAddresses types { txType txCount amountBurned value } }`;
