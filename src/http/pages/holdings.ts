import type { Network, PrimaryChain } from '../../avalanche/networks.js';
import { networks, primaryChains } from '../../avalanche/networks.js';
import type { Storage } from '../../storage/open.js';

/** Up to here rows are counted; beyond it the planner's estimate is told, which costs nothing. */
const COUNTED = 10_000;

/** A number of rows. */
export interface Count {
  rows: number;
  exact: boolean;
}

/** What is held of one chain of the primary network. */
export interface ChainHoldings {
  network: Network;
  chain: PrimaryChain;
  transactions: Count;
  utxos: Count;
  /** The newest transaction's block; absent where its number is unknown. */
  newestBlock?: string;
  /** Unix seconds. */
  newestTime?: number;
}

export interface Holdings {
  /** The chains of which anything is held. */
  chains: ChainHoldings[];
  /** Other kinds of rows, those of which anything is held. */
  others: { label: string; count: Count }[];
}

const otherKinds: readonly { table: string; label: string }[] = [
  { table: 'vertex', label: 'X-chain vertices' },
  { table: 'chain', label: 'EVM chains' },
  { table: 'internal_tx', label: 'Internal transactions' },
  { table: 'icm_message', label: 'Interchain messages' },
  { table: 'nft_token', label: 'NFT tokens' },
  { table: 'evm_address', label: 'EVM addresses' },
  { table: 'subnet_metric', label: 'Days of subnet metrics' },
];

/**
 * Reads what the database holds: a few dozen index ranges of at most COUNTED rows.
 *
 * @throws what pg throws
 */
export async function readHoldings({ pool }: Pick<Storage, 'pool'>): Promise<Holdings> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace`,
  );
  const held = otherKinds.filter(({ table }) => tables.some(({ name }) => name === table));
  const ledgers = networks.flatMap((network) => primaryChains.map((chain) => ({ network, chain })));
  const everybody = await readEverybody(pool);
  const sources = [
    ...ledgers.map(({ network, chain }) => `transaction WHERE network = '${network}' AND chain = '${chain}'`),
    ...ledgers.map(
      ({ network, chain }) =>
        `utxo_owner WHERE chain = '${chain}' AND address_id = ${everybody.get(network)}`,
    ),
    ...held.map(({ table }) => table),
  ];
  const counts = await countAll(pool, sources);
  const newest = await readNewest(pool);
  const none = { rows: 0, exact: true };
  const chains = ledgers.map(({ network, chain }, index): ChainHoldings => ({
    network,
    chain,
    transactions: counts[index] ?? none,
    utxos: counts[ledgers.length + index] ?? none,
    ...newest.get(`${network} ${chain}`),
  }));
  return {
    chains: chains.filter(({ transactions, utxos }) => transactions.rows + utxos.rows > 0),
    others: held
      .map(({ label }, index) => ({ label, count: counts[2 * ledgers.length + index] ?? none }))
      .filter(({ count }) => count.rows > 0),
  };
}

/**
 * The empty address of each network, under which every output of a chain has an owner row: see the model Address.
 * Its id stands in the statements as a literal, because the planner's estimate for a sub-select is far off.
 */
async function readEverybody(pool: Storage['pool']): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ network: string; id: string }>(
    `SELECT network, id FROM address WHERE address = ''`,
  );
  return new Map(rows.map(({ network, id }) => [network, id]));
}

async function countAll(pool: Storage['pool'], sources: readonly string[]): Promise<Count[]> {
  const counting = sources.map(
    (source) => `(SELECT count(*)::integer FROM (SELECT 1 FROM ${source} LIMIT ${COUNTED + 1}) counted)`,
  );
  const { rows } = await pool.query<{ counts: number[] }>(`SELECT ARRAY[${counting.join(', ')}] AS counts`);
  const counts: Count[] = [];
  for (const [index, source] of sources.entries()) {
    const counted = rows[0]?.counts[index] ?? 0;
    counts.push(
      counted <= COUNTED
        ? { rows: counted, exact: true }
        : { rows: Math.max(COUNTED, await estimate(pool, source)), exact: false },
    );
  }
  return counts;
}

async function estimate(pool: Storage['pool'], source: string): Promise<number> {
  const { rows } = await pool.query<{ 'QUERY PLAN': { Plan: { 'Plan Rows': number } }[] }>(
    `EXPLAIN (FORMAT JSON) SELECT 1 FROM ${source}`,
  );
  return rows[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0;
}

async function readNewest(pool: Storage['pool']) {
  const { rows } = await pool.query<{ key: string; number: string | null; time: string }>(`
    SELECT ledger.network || ' ' || ledger.chain AS key, newest.block_number AS number, newest.block_timestamp AS time
    FROM (SELECT network, chain FROM unnest(enum_range(NULL::network)) network
          CROSS JOIN unnest(enum_range(NULL::primary_chain)) chain) ledger
    CROSS JOIN LATERAL (
      SELECT t.block_number, t.block_timestamp FROM transaction t
      WHERE t.network = ledger.network AND t.chain = ledger.chain
      ORDER BY t.block_timestamp DESC, t.tie DESC, t.id DESC LIMIT 1) newest`);
  return new Map(
    rows.map(({ key, number, time }) => [
      key,
      { newestTime: Number(time), ...(number !== null && { newestBlock: number }) },
    ]),
  );
}
