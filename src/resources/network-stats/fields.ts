import { DAY_SECONDS } from '../../avalanche/seconds.js';
import { boolean, choice, digits, is, list, plain, small, whole } from '../../fields/field.js';
import type { Details, Fields, NodeOf } from '../../fields/field.js';
import { pipelineTable } from '../../state/following.js';
import { allTypes, publishedType } from '../transaction/tx-types.js';

const transactionSums = {
  txCount: is(whole, 'Number of the indexed transactions; 0 for none'),
  amountBurned: is(
    digits,
    'The AVAX that they burned, nAVAX: the sum of their amountBurned. Of the C-chain those of its atomic transactions alone',
  ),
  value: is(
    digits,
    'The AVAX of the outputs that they created, nAVAX: the sum of their value, which includes what returns to a sender as change, and stakes',
  ),
} satisfies Details;

const addressCounts = {
  activeAddresses: is(
    whole,
    'Number of addresses in whose history the transactions of the day are, each once: the owners of what they consumed and emitted',
  ),
  newAddresses: is(whole, 'How many of these have no indexed transaction of an earlier day'),
} satisfies Details;

/** What of a day the published metrics of a network have. */
export const stakingMetrics = [
  'validatorCount',
  'validatorWeight',
  'delegatorCount',
  'delegatorWeight',
] as const;
export type StakingMetric = (typeof stakingMetrics)[number];

/** The numbers of a type of transactions on a chain and a day. */
export const typeDayFields = {
  txType: is(choice('TxType', allTypes), 'The type'),
  ...transactionSums,
} satisfies Details;
export type TypeDayNode = NodeOf<typeof typeDayFields>;

/** The numbers of a chain on a day. */
export const chainDayFields = {
  blockchainAlias: is(plain, 'Alias of the chain: p-chain, x-chain or c-chain'),
  ...transactionSums,
  ...addressCounts,
  types: is(
    list<TypeDayNode>('NetworkTypeDay'),
    'The same for each type of which there were transactions, most first, at most one entry for each value of TxType',
  ),
} satisfies Details;
export type ChainDayNode = NodeOf<typeof chainDayFields>;

const ofDay = 'x.network = d.network AND x.day = d.day';
const summed = (column: string) =>
  `(SELECT coalesce(sum(x.${column}), 0) FROM transaction_day x WHERE ${ofDay})`;
const counted = (column: string) =>
  `coalesce((SELECT x.${column} FROM active_address_day x WHERE ${ofDay} AND x.scope = 'network'), 0)`;

const sums = (of: string, each: string) => `'txCount', coalesce(${each}(${of}.transactions), 0),
  'amountBurned', coalesce(${each}(${of}.burned), 0)::text, 'value', coalesce(${each}(${of}.value), 0)::text`;

/** SQL of the list of chains, all three. */
const chains = `(
  SELECT json_agg(json_build_object('blockchainAlias', c.chain || '-chain', ${sums('t', '')},
    'activeAddresses', coalesce(a.active, 0), 'newAddresses', coalesce(a.newcomers, 0), 'types', coalesce(t.types, '[]'))
    ORDER BY c.chain)::text
  FROM unnest(enum_range(NULL::primary_chain)) AS c(chain)
  LEFT JOIN active_address_day a ON a.network = d.network AND a.day = d.day AND a.scope::text = c.chain::text
  CROSS JOIN LATERAL (
    SELECT sum(x.transactions) AS transactions, sum(x.burned) AS burned, sum(x.value) AS value,
      json_agg(json_build_object('txType', x.tx_type, ${sums('x', '')}) ORDER BY x.transactions DESC, x.tx_type) AS types
    FROM (
      SELECT ${publishedType('x.tx_type')} AS tx_type, sum(x.transactions) AS transactions, sum(x.burned) AS burned, sum(x.value) AS value
      FROM transaction_day x WHERE ${ofDay} AND x.chain = c.chain GROUP BY 1) x) t)`;

const pipeline = pipelineTable.as('f');
/** The streams that have the transactions of a network's chains; only those of now. */
const streams = `${pipeline.network} = d.network AND ${pipeline.name} IN ('p', 'x', 'c-atomic')`;
/** SQL of the time up to which a stream has everything: it may be at its head, which is old. */
const readUpTo = `CASE WHEN ${pipeline.head} < ${pipeline.nextHeight} THEN extract(epoch FROM ${pipeline.currentAt})
  ELSE ${pipeline.lastTime} END`;
const now = 'extract(epoch FROM now())';

/** The fields of a day, over days `d`. */
export const networkDayFields = {
  timestamp: {
    sql: `d.day::bigint * ${DAY_SECONDS}`,
    ...is(whole, 'The day, as Unix seconds of its beginning (00:00 UTC)'),
  },
  isRunning: {
    sql: `(SELECT d.day >= floor(least(min(coalesce(${readUpTo}, 0)), ${now}) / ${DAY_SECONDS})
      FROM ${pipeline.from} WHERE ${streams})`,
    ...is(
      boolean,
      'Whether the day is not over, or not yet read to its end on all of the chains that are followed, so that its numbers can grow',
    ),
  },
  txCount: { sql: `${summed('transactions')}::bigint`, ...transactionSums.txCount },
  amountBurned: { sql: summed('burned'), ...transactionSums.amountBurned },
  value: { sql: summed('value'), ...transactionSums.value },
  activeAddresses: { sql: counted('active'), ...addressCounts.activeAddresses },
  newAddresses: { sql: counted('newcomers'), ...addressCounts.newAddresses },
  validatorCount: {
    sql: 'd.validators',
    ...is(
      small,
      'Number of validators of the primary network at the end of the day, by the indexed transactions that stake. Those that go on by themselves after each period are not counted, because their transactions do not say when they end',
    ),
  },
  validatorWeight: {
    sql: 'd.validator_weight',
    ...is(digits, 'What they staked themselves, nAVAX'),
  },
  delegatorCount: {
    sql: 'd.delegators',
    ...is(small, 'Number of delegations to them at the end of the day, by the indexed transactions'),
  },
  delegatorWeight: { sql: 'd.delegator_weight', ...is(digits, 'What was delegated to them, nAVAX') },
  messageCount: {
    sql: `(SELECT coalesce(sum(x.sent), 0)::bigint FROM message_day x WHERE ${ofDay})`,
    ...is(
      whole,
      'Number of the indexed interchain messages, by the time of the transaction that sent each, or of the one that received it where that is not indexed',
    ),
  },
  chains: {
    sql: chains,
    ...is(
      list<ChainDayNode>('NetworkChainDay'),
      'The same for each of the three chains, in the order P, X, C',
    ),
  },
} satisfies Fields;

export type NetworkDayNode = NodeOf<typeof networkDayFields>;
