// The least that could serve routes of REST: Fastify, one named statement each whose texts are the reply's.
// No validation, no GraphQL, no limits; the replies are the gateway's, headers included.
import { fastify } from 'fastify';
import { pino } from 'pino';
import { toBytea } from '../../src/avalanche/evm.js';
import { loadConfig } from '../../src/config.js';
import { positionOf } from '../../src/paging/position.js';
import { createTokenCodec, digestQuery } from '../../src/paging/token.js';
import { icmMessageRows } from '../../src/resources/icm-message/fields.js';
import { internalTxRows } from '../../src/resources/internal-tx/fields.js';
import { transactionRows } from '../../src/resources/transaction/fields.js';
import { utxoRows } from '../../src/resources/utxo/fields.js';
import { loadInstallation } from '../../src/storage/installation.js';
import { openStorage } from '../../src/storage/open.js';
import { poolOf } from '../../test/harness/connections.js';
import { routeMostAsked } from './most-asked.js';

/** A row of a list, as JSON text. */
interface Row {
  id: string;
  text: string;
}

const [port = '0', headerText = '{}'] = process.argv.slice(2);
const headers = JSON.parse(headerText) as Record<string, string>;
const storage = await openStorage(loadConfig(), pino({ level: 'warn' }));
const { id, secret } = await loadInstallation(storage.prisma);
const tokens = createTokenCodec(secret, id, Date.now);
const pool = poolOf(storage);

/** SQL of the outputs of a transaction `t` as JSON. */
const outputsOf = (side: string) => `'[' || coalesce((
  SELECT string_agg(${utxoRows.columns['text']}, ',' ORDER BY link.position) FROM ${utxoRows.from}
  JOIN transaction_${side} link ON link.utxo_row_id = u.id WHERE link.transaction_id = t.id), '') || ']'`;
/** SQL of a transaction `t` as JSON. */
const wholeTransaction = `left(${transactionRows.columns['text']}, -1)
  || ',"consumedUtxos":' || ${outputsOf('input')} || ',"emittedUtxos":' || ${outputsOf('output')} || '}'`;
const transaction = {
  name: 'transaction',
  text: `SELECT ${wholeTransaction} AS text
    FROM transaction t WHERE t.network = 'mainnet' AND t.chain = 'p' AND t.tx_hash = $1`,
};
const newest = 'block_number DESC, tx_hash DESC, position DESC, tie DESC';
const framesWhere = (condition: string) => `(
  SELECT i.* FROM internal_tx i WHERE i.evm_chain_id = $1 AND ${condition} ORDER BY ${newest} LIMIT $3)`;
const frames = {
  name: 'frames',
  text: `SELECT i.id, ${internalTxRows.columns['text']} AS text
    FROM (${framesWhere('i.from_address = $2')} UNION ALL
      ${framesWhere('i.to_address = $2 AND i.to_address <> i.from_address')}) i
    ORDER BY ${newest} LIMIT $3`,
};
const messages = {
  name: 'messages',
  text: `SELECT m.id, ${icmMessageRows.columns['text']} AS text FROM ${icmMessageRows.from}
    WHERE m.network = $1 ORDER BY m.timestamp DESC, m.message_id DESC, m.id DESC LIMIT $2`,
};

/** @param more further members of the reply, each beginning with a comma */
function pageOf(name: string, rows: readonly Row[], pageSize: number, more = ''): string {
  const page = rows.slice(0, pageSize);
  const last = page.at(-1);
  const token =
    rows.length > pageSize && last
      ? `,"nextPageToken":"${tokens.issue(digestQuery(name, {}), positionOf(BigInt(last.id), 0n))}"`
      : '';
  return `{"${name}":[${page.map(({ text }) => text).join(',')}]${token}${more}}`;
}

interface RouteTypes {
  Params: Record<string, string>;
  Querystring: Record<string, string>;
}

const app = fastify();
app.get<RouteTypes>(
  '/v1/networks/:network/blockchains/:chain/transactions/:hash',
  async ({ params }, reply) => {
    const { rows } = await pool.query<Row>({ ...transaction, values: [params['hash']] });
    return reply.headers(headers).send(rows[0]?.text);
  },
);
app.get<RouteTypes>(
  '/v1/chains/:chain/addresses/:address/transactions::listInternals',
  async ({ params, query }, reply) => {
    const pageSize = Number(query['pageSize']);
    const values = [params['chain'], toBytea(params['address'] ?? ''), pageSize + 1];
    const { rows } = await pool.query<Row>({ ...frames, values });
    return reply.headers(headers).send(pageOf('transactions', rows, pageSize));
  },
);
app.get<RouteTypes>('/v1/icm/messages', async ({ query }, reply) => {
  const pageSize = Number(query['pageSize']);
  const { rows } = await pool.query<Row>({ ...messages, values: [query['network'], pageSize + 1] });
  return reply.headers(headers).send(pageOf('messages', rows, pageSize));
});
routeMostAsked({ app, pool, headers, pageOf, wholeTransaction });
await app.listen({ port: Number(port), host: '127.0.0.1' });
