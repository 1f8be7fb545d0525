import { transactionTypes, type TransactionTypeName } from '../../avalanche/chain/transactions.js';
import { identityOf } from '../../avalanche/identity.js';
import { networks, type Network, type PrimaryChain } from '../../avalanche/networks.js';
import { dayOf, LAST_SECOND } from '../../avalanche/seconds.js';
import { parseJson } from '../../json.js';
import type { JsonObject } from '../../rows/check.js';
import type { PrimaryScope } from '../../write/scope.js';
import type { Derivation, Summand, SumTable } from '../../write/derived/table.js';
import { activeAddresses } from '../history/import-activity.js';

/** What of a transaction the numbers of its day are made of. */
export interface DatedTransaction {
  network: Network;
  chain: PrimaryChain;
  txType: string;
  /** Unix seconds, a decimal text. */
  blockTimestamp: string;
  details: JsonObject;
}

/** What of a stored transaction of a chain they are made of. */
export const datedOf = (
  { network, chain }: PrimaryScope,
  record: Omit<DatedTransaction, 'network' | 'chain'>,
): DatedTransaction => Object.assign({ network, chain }, record);

/** See the model TransactionDay. */
const transactionDays: SumTable<DatedTransaction> = {
  name: 'transaction_day',
  key: { network: 'network', day: 'integer', chain: 'primary_chain', tx_type: 'text' },
  sums: { transactions: 'bigint', burned: 'numeric', value: 'numeric' },
  summands: ({ network, chain, txType, blockTimestamp, details }) => [
    {
      key: [network, dayOf(Number(blockTimestamp)), chain, txType],
      sums: [1n, avaxOf(network, details['amountBurned']), avaxOf(network, details['value'])],
    },
  ],
};

const staked = ['validators', 'validator_weight', 'delegators', 'delegator_weight'] as const;

/** See the model StakeDay. */
const stakeDays: SumTable<DatedTransaction> = {
  name: 'stake_day',
  key: { network: 'network', day: 'integer' },
  sums: Object.fromEntries(
    staked.flatMap((name) => ['started', 'ended'].map((what) => [`${name}_${what}`, 'numeric'])),
  ),
  summands({ network, txType, details }) {
    const { stake } = transactionTypes[txType as TransactionTypeName];
    if (stake !== 'validates' && stake !== 'delegates') return [];
    const { startTimestamp: start, endTimestamp: end } = details;
    // Stakes of other subnets are of another asset, or of none.
    const weight = avaxOf(network, details['amountStaked']);
    if (weight === 0n || start === undefined || end === undefined) return [];
    const all = stake === 'validates' ? [1n, weight, 0n, 0n] : [0n, 0n, 1n, weight];
    const found: Summand[] = [
      { key: [network, dayOf(Number(start))], sums: all.flatMap((sum) => [sum, 0n]) },
    ];
    // Later ends mean never.
    if (Number(end) <= LAST_SECOND)
      found.push({ key: [network, dayOf(Number(end))], sums: all.flatMap((sum) => [0n, sum]) });
    return found;
  },
};

/** The AVAX in a list of amounts, nAVAX. */
function avaxOf(network: Network, amounts: unknown): bigint {
  let sum = 0n;
  const { nativeAssetId } = identityOf(network);
  for (const { assetId, amount } of (amounts ?? []) as { assetId: string; amount: string }[])
    if (assetId === nativeAssetId) sum += BigInt(amount);
  return sum;
}

/** The tables that are derived from transactions alone. */
export const derivedFromTransactions = [transactionDays, stakeDays] as const;

/** The members of a transaction's details that they are made of. */
const names = ['amountBurned', 'value', 'amountStaked', 'startTimestamp', 'endTimestamp'];
const members = names.map((name) => `'${name}', t.details->'${name}'`).join(', ');
/** The row ids of the next transactions; details are up to four times as large in memory. */
const nextPage = `
  SELECT id FROM (
    SELECT id, sum(bytes) OVER (ORDER BY id) - bytes AS bytes_before FROM (
      SELECT id, 4 * pg_column_size(details) AS bytes FROM transaction WHERE id > $1 ORDER BY id LIMIT $2) one) page
  WHERE bytes_before < $3`;

/** What is derived from transactions, and how these are read again. */
export const transactionDerivation: Derivation<DatedTransaction> = {
  source: 'transaction',
  tables: derivedFromTransactions,
  computed: [activeAddresses],
  locks: networks,
  async read(client, after, { rows, bytes }) {
    const { rows: found } = await client.query<DatedTransaction & { id: string; text: string }>(
      `SELECT t.id::text, t.network, t.chain, t.tx_type AS "txType", t.block_timestamp::text AS "blockTimestamp",
         jsonb_strip_nulls(jsonb_build_object(${members}))::text AS text
       FROM transaction t WHERE t.id IN (${nextPage}) ORDER BY t.id`,
      [after, rows, bytes],
    );
    const items = found.map(({ text, ...row }) => ({ ...row, details: parseJson(text) as JsonObject }));
    return { items, last: found.at(-1)?.id ?? null };
  },
};
