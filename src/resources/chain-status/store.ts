import type { Network, PrimaryChain } from '../../avalanche/networks.js';
import * as state from '../../state/following.js';
import { statement } from '../../storage/statement.js';
import type { ChainStatusNode } from './fields.js';

interface StatusRow {
  network: Network;
  chain: PrimaryChain;
  /** Of the newest block that is stored, or has a stored transaction: decimal digits, hash, Unix seconds. */
  number: string | null;
  hash: string | null;
  time: string | null;
  /** Of the follower; null where there is none. Decimal digits. */
  next: string | null;
  lastId: string | null;
  lastTime: string | null;
  head: string | null;
  currentAt: string | null;
  gaps: string;
  refused: string | null;
  leftOut: string[];
  waitingSince: string | null;
}

const own = state.networkTable.as('own');
const pipeline = state.pipelineTable.as('pipeline');
const followed = state.pipelineTable.as('followed');
const gap = state.gapTable.as('gap');
const waiting = state.waitingTable.as('w');
const leftOut = state.leftOutTable.as('left_out');

/** SQL of the names of a chain's pipelines. */
const pipelines = `CASE ledger.chain WHEN 'c' THEN ARRAY['c-atomic'] || (
          SELECT array_agg(stream || ':' || ${own.cEvmChainId})
          FROM ${own.from}, unnest(ARRAY['internals', 'nfts', 'messages', 'balances']) stream
          WHERE ${own.network} = ledger.network)
        WHEN 'x' THEN ARRAY['x', 'x-dag', 'x-vertices']
        ELSE ARRAY[ledger.chain::text] END`;

/**
 * Reads the newest block of each chain that has data, is followed, waited for or left out in part: from the
 * end of an index for each of six chains, without a parameter.
 */
export const chainStatusStatement = statement(
  'chain_status',
  `SELECT ledger.network::text AS network, ledger.chain::text AS chain,
     newest.block_number::text AS number, newest.block_hash AS hash, newest.block_timestamp::text AS time,
     ${followed.nextHeight}::text AS next, ${followed.lastId} AS "lastId",
     ${followed.lastTime}::text AS "lastTime", ${followed.head}::text AS head,
     (SELECT least(count(DISTINCT lowest.height), ${state.MOST_COUNTED_GAPS}) FROM unnest(
        ${pipelines}) stream CROSS JOIN LATERAL (
          SELECT ${gap.height} FROM ${gap.from} WHERE ${gap.network} = ledger.network AND ${gap.name} = stream
          ORDER BY ${gap.height} LIMIT ${state.MOST_COUNTED_GAPS}) lowest)::text AS gaps,
     (SELECT sum(${pipeline.refusedRows}) FROM ${pipeline.from}
      WHERE ${pipeline.network} = ledger.network AND ${pipeline.name} = ANY(${pipelines}))::text AS refused,
     absent.notes AS "leftOut",
     floor(extract(epoch FROM ${followed.currentAt}))::bigint::text AS "currentAt",
     floor(extract(epoch FROM waiting.since))::bigint::text AS "waitingSince"
   FROM (SELECT network, chain FROM unnest(enum_range(NULL::network)) network
         CROSS JOIN unnest(enum_range(NULL::primary_chain)) chain) ledger
   LEFT JOIN ${followed.from} ON ${followed.network} = ledger.network
     AND ${followed.name} = CASE ledger.chain WHEN 'c' THEN 'c-atomic' ELSE ledger.chain::text END
   LEFT JOIN LATERAL (
     (SELECT block_number, block_hash, block_timestamp FROM (
        (SELECT b.number AS block_number, b.hash AS block_hash, b.timestamp AS block_timestamp, 1 AS rank FROM block b
         WHERE b.network = ledger.network AND b.chain = ledger.chain ORDER BY b.number DESC LIMIT 1)
        UNION ALL
        (SELECT t.block_number, t.block_hash, t.block_timestamp, 2 FROM transaction t
         WHERE t.network = ledger.network AND t.chain = ledger.chain AND t.block_number IS NOT NULL
         ORDER BY t.block_number DESC LIMIT 1)) known
      ORDER BY block_number DESC, (block_hash IS NULL), rank LIMIT 1)
     UNION ALL
     (SELECT NULL, NULL, t.block_timestamp FROM transaction t
      WHERE t.network = ledger.network AND t.chain = ledger.chain
      ORDER BY t.block_timestamp DESC, t.tie DESC, t.id DESC LIMIT 1)
     LIMIT 1) newest ON true
   CROSS JOIN LATERAL (
     SELECT min(${waiting.since}) AS since FROM ${waiting.from}
     WHERE NOT ${waiting.isL1} AND coalesce(${waiting.network}, ledger.network) = ledger.network
       AND ${waiting.seenAt} > now() - interval '${state.WAITER_GONE_MS} milliseconds') waiting
   CROSS JOIN LATERAL (
     SELECT coalesce(array_agg(DISTINCT ${leftOut.note}), '{}') AS notes FROM ${leftOut.from}
     WHERE ${leftOut.network} = ledger.network AND ${leftOut.name} = ANY(${pipelines})) absent
   WHERE newest.block_timestamp IS NOT NULL OR ${followed.network} IS NOT NULL OR waiting.since IS NOT NULL
     OR absent.notes <> '{}'
   ORDER BY ledger.network, ledger.chain`,
);

/**
 * The chains that have data or are followed, mainnet's before fuji's, each with its newest stored block.
 *
 * @param read runs the statement
 * @throws what it throws
 */
export async function readChainStatus(read: () => Promise<object[]>): Promise<ChainStatusNode[]> {
  return ((await read()) as StatusRow[]).map(toNode);
}

function toNode(row: StatusRow): ChainStatusNode {
  const { network, chain, next, head, currentAt, gaps, refused, leftOut, waitingSince } = row;
  const { number, hash, time } = newestOf(row);
  // A node that was restored from an older state has fewer blocks than are stored.
  const behind = next === null || head === null ? null : BigInt(head) + 1n - BigInt(next);
  return {
    network,
    chain,
    blockNumber: number,
    blockHash: hash,
    blockTimestamp: time === null ? null : BigInt(time),
    isFollowed: next !== null,
    headNumber: head,
    blocksBehind: behind === null ? null : String(behind > 0n ? behind : 0n),
    blocksWithGaps: next === null ? null : gaps,
    refusedRows: next === null ? null : (refused ?? '0'),
    leftOut,
    waitingTimestamp: waitingSince === null ? null : BigInt(waitingSince),
    currentTimestamp: currentAt === null ? null : BigInt(currentAt),
  };
}

/** The block before the follower's next one, perhaps without transactions; or a newer imported one. */
function newestOf({ number, hash, time, next, lastId, lastTime }: StatusRow) {
  if (next === null || lastId === null) return { number, hash, time };
  const last = BigInt(next) - 1n;
  if (number !== null && BigInt(number) > last) return { number, hash, time };
  return { number: String(last), hash: lastId, time: lastTime ?? (number === String(last) ? time : null) };
}
