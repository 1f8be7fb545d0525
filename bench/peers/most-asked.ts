import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { typesWhere } from '../../src/avalanche/chain/transactions.js';
import type { Reader } from '../../src/storage/reader.js';
import { publishedKinds, type HeldRow } from '../../src/resources/address/fields.js';
import { readChainBalances } from '../../src/resources/address/store.js';
import { isStake } from '../../src/resources/reference/present.js';
import { stakeFrom } from '../../src/resources/stake/columns.js';
import { validatorStakeRows } from '../../src/resources/stake/fields.js';

interface Row {
  id: string;
  text: string;
}

interface FloorDeps {
  app: FastifyInstance;
  pool: Pool;
  headers: Record<string, string>;
  pageOf: (name: string, rows: readonly Row[], pageSize: number, more?: string) => string;
  /** SQL of a transaction `t` with its outputs, as JSON. */
  wholeTransaction: string;
}

const CHAIN = '/v1/networks/:network/blockchains/:chain';
const chainInfo = ',"chainInfo":{"chainName":"p-chain","network":"mainnet"}';

const transactionsOf = (wholeTransaction: string) => ({
  name: 'transactions',
  text: `SELECT t.id, ${wholeTransaction} AS text FROM address_transaction h JOIN transaction t ON t.id = h.transaction_id
    WHERE h.address_id = (SELECT id FROM address WHERE network = 'mainnet' AND address = $1) AND h.chain = 'p'
    ORDER BY h.time DESC, h.tie DESC, h.transaction_id DESC LIMIT $2`,
});

const newest = 'block_timestamp DESC, tie DESC, id DESC';
const types = typesWhere('stake', 'validates').map((type) => `('${type}')`);
const validators = {
  name: 'validators',
  text: `WITH page AS (
      SELECT s.id FROM (VALUES ${types.join(', ')}) type(name) CROSS JOIN LATERAL (
        SELECT t.id, t.block_timestamp, t.tie FROM ${stakeFrom}
        WHERE t.network = 'mainnet' AND t.chain = 'p' AND t.tx_type = type.name AND ${isStake}
        ORDER BY t.block_timestamp DESC, t.tie DESC, t.id DESC LIMIT $1) s
      ORDER BY ${newest.replaceAll(/(\w+) DESC/g, 's.$1 DESC')} LIMIT $1)
    SELECT t.id, ${validatorStakeRows.columns.text} AS text FROM page JOIN (${stakeFrom}) ON t.id = page.id
    ORDER BY t.block_timestamp DESC, t.tie DESC, t.id DESC`,
};

const blockText = `SELECT b.number AS id, b.hash, b.parent_hash, b.timestamp, b.block_type, b.tx_count, b.size_bytes, b.proposer_node_id,
    ARRAY(SELECT t.tx_hash FROM transaction t WHERE t.network = b.network AND t.chain = b.chain AND t.block_number = b.number
      ORDER BY t.block_timestamp, t.tie, t.id) AS hashes
  FROM block b WHERE b.network = 'mainnet' AND b.chain = 'p'`;
const block = { name: 'block', text: `${blockText} AND b.number = $1` };
const blocks = { name: 'blocks', text: `${blockText} ORDER BY b.number DESC LIMIT $1` };

/** Of a block that only its transactions name most is NULL. */
interface BlockRow {
  id: string;
  hash: string | null;
  parent_hash: string | null;
  timestamp: string;
  block_type: string | null;
  tx_count: number | null;
  size_bytes: number | null;
  proposer_node_id: string | null;
  hashes: string[];
}
const blockOf = (row: BlockRow) =>
  JSON.stringify({
    blockNumber: row.id,
    blockHash: row.hash ?? '',
    parentHash: row.parent_hash ?? '',
    blockTimestamp: Number(row.timestamp),
    blockType: row.block_type ?? 'UNKNOWN',
    txCount: row.tx_count ?? row.hashes.length,
    transactions: row.hashes,
    blockSizeBytes: row.size_bytes ?? 0,
    proposerDetails: row.proposer_node_id === null ? undefined : { proposerNodeId: row.proposer_node_id },
  });

interface RouteTypes {
  Params: Record<string, string>;
  Querystring: Record<string, string>;
}

/** The floors of the reads that people ask for most. */
export function routeMostAsked({ app, pool, headers, pageOf, wholeTransaction }: FloorDeps): void {
  const reader = {
    read: async ({ name, text }: { name: string; text: string }, values: unknown[]) =>
      (await pool.query<object>({ name, text, values })).rows,
  } as unknown as Reader;
  const transactions = transactionsOf(wholeTransaction);
  app.get<RouteTypes>(`${CHAIN}/balances`, async ({ query }, reply) => {
    const at = String(Math.floor(Date.now() / 1000));
    const given = {
      network: 'mainnet',
      blockchainId: 'p',
      addresses: [query['addresses'] ?? ''],
      at,
    } as const;
    const { rows } = await readChainBalances(reader, given);
    return reply.headers(headers).send(`{"balances":${balancesOf(rows)}${chainInfo}}`);
  });
  app.get<RouteTypes>(`${CHAIN}/transactions`, async ({ query }, reply) => {
    const pageSize = Number(query['pageSize']);
    const { rows } = await pool.query<Row>({ ...transactions, values: [query['addresses'], pageSize + 1] });
    return reply.headers(headers).send(pageOf('transactions', rows, pageSize, chainInfo));
  });
  app.get<RouteTypes>('/v1/networks/:network/validators', async ({ query }, reply) => {
    const pageSize = Number(query['pageSize']);
    const { rows } = await pool.query<Row>({ ...validators, values: [pageSize + 1] });
    return reply.headers(headers).send(pageOf('validators', rows, pageSize));
  });
  app.get<RouteTypes>(`${CHAIN}/blocks`, async ({ query }, reply) => {
    const pageSize = Number(query['pageSize']);
    const { rows } = await pool.query<BlockRow>({ ...blocks, values: [pageSize + 1] });
    const texts = rows.map((row) => ({ id: row.id, text: blockOf(row) }));
    return reply.headers(headers).send(pageOf('blocks', texts, pageSize, chainInfo));
  });
  app.get<RouteTypes>(`${CHAIN}/blocks/:number`, async ({ params }, reply) => {
    const { rows } = await pool.query<BlockRow>({ ...block, values: [params['number']] });
    return reply.headers(headers).send(rows[0] && blockOf(rows[0]));
  });
}

function balancesOf(rows: readonly HeldRow[]): string {
  const members = Object.entries(publishedKinds.p).map(([name, kind]) => {
    const own = rows.filter((row) => row.kind === kind);
    const texts = own.map(({ text, direction }) =>
      direction ? `${text.slice(0, -1)},"status":"${direction}"}` : text,
    );
    return `"${name}":[${texts.join(',')}]`;
  });
  return `{${members.join(',')}}`;
}
