import { printJson } from '../../src/json.js';
import type { Storage } from '../../src/storage/open.js';
import { createPool, storageOn } from './connections.js';
import { createDatabase, type Filling } from './database.js';
import { dumpLedger } from './ingest.js';

/**
 * Every row that a follower wrote, without row ids and times of its run: equal for databases with the same
 * blocks.
 */
export async function dumpFollowed(storage: Storage): Promise<Record<string, unknown[]>> {
  const { prisma } = storage;
  const stakers = await prisma.followStaker.findMany({
    omit: { id: true, uptime: true },
    orderBy: { txId: 'asc' },
  });
  const supplies = await prisma.followSupply.findMany({ orderBy: { subnetId: 'asc' } });
  const l1Validators = await prisma.followL1Validator.findMany({ orderBy: { validationId: 'asc' } });
  const fees = await prisma.followSubnetFee.findMany({ orderBy: { subnetId: 'asc' } });
  const paid = await prisma.followPaidFee.findMany({
    orderBy: [{ validationId: 'asc' }, { sinceFee: 'asc' }],
  });
  const feeDays = await prisma.followFeeDay.findMany({ orderBy: { day: 'asc' } });
  const clocks = await prisma.followStaking.findMany({ omit: { checkedAt: true, checkedHeight: true } });
  const metrics = await prisma.subnetMetric.findMany({
    orderBy: [{ subnetId: 'asc' }, { series: 'asc' }, { day: 'asc' }],
  });
  const vertices = await prisma.vertex.findMany({
    omit: { id: true },
    include: { transactions: { omit: { vertexId: true }, orderBy: { position: 'asc' } } },
    orderBy: { vertexHash: 'asc' },
  });
  const frames = await prisma.$queryRaw<{ row: unknown }[]>`
    SELECT to_jsonb(i) - 'id' AS row FROM internal_tx i
    ORDER BY evm_chain_id, block_number, tx_hash, position, tie`;
  const chains = await prisma.chain.findMany({ omit: { id: true }, orderBy: { evmChainId: 'asc' } });
  const tokens = await prisma.nftToken.findMany({
    omit: { id: true },
    orderBy: [{ evmChainId: 'asc' }, { address: 'asc' }, { tokenId: 'asc' }],
  });
  const balances = await prisma.$queryRaw<{ row: string }[]>`
    SELECT concat_ws(' ', h.evm_chain_id, h.kind, encode(h.contract, 'hex'), encode(a.address, 'hex'), b.day, b.until_day,
      b.previous, b.balance) AS row
    FROM evm_balance b JOIN evm_holding h ON h.id = b.holding_id JOIN evm_address a ON a.id = b.address_id ORDER BY 1`;
  const ids = await prisma.$queryRaw<{ row: string }[]>`
    SELECT concat_ws(' ', t.evm_chain_id, encode(t.contract, 'hex'), t.since, t.created, encode(i.owner, 'hex'), i.token_id, i.day,
      i.balance, c.count) AS row
    FROM follow_token t LEFT JOIN follow_token_id i USING (evm_chain_id, contract)
      LEFT JOIN follow_token_count c USING (evm_chain_id, contract, owner, day) ORDER BY 1`;
  const rowsOf = (sql: string) => prisma.$queryRawUnsafe<{ row: string }[]>(sql);
  // Who proposed a block is known if the index answered just then.
  const blocks = await rowsOf(
    `SELECT (to_jsonb(b) - 'proposer_node_id')::text AS row FROM block b ORDER BY network, chain, number`,
  );
  const messages = await rowsOf(
    `SELECT (to_jsonb(m) - '{id,source_id,destination_id}'::text[]
       || jsonb_build_object('source', to_jsonb(s) - 'id', 'destination', to_jsonb(d) - 'id'))::text AS row
     FROM icm_message m JOIN icm_chain s ON s.id = m.source_id JOIN icm_chain d ON d.id = m.destination_id
     ORDER BY m.message_id`,
  );
  const waiting = await rowsOf(
    `SELECT to_jsonb(w)::text AS row FROM icm_waiting w ORDER BY message_id, blockchain_id`,
  );
  const gaps = await rowsOf(
    `SELECT concat_ws(' ', name, height, block_id, transactions) AS row FROM follow_gap ORDER BY name, height`,
  );
  const pipelines = await prisma.followPipeline.findMany({ orderBy: { name: 'asc' } });
  return {
    ...(await dumpLedger(storage)),
    follow_staker: stakers.map((row) => printJson(row)),
    follow_stake_total: await rowsOf(
      `SELECT to_jsonb(t)::text AS row FROM follow_stake_total t ORDER BY network, subnet_id`,
    ),
    follow_supply: supplies.map((row) => printJson(row)),
    follow_l1_validator: l1Validators.map((row) => printJson(row)),
    follow_subnet_fee: fees.map((row) => printJson(row)),
    follow_paid_fee: paid.map((row) => printJson(row)),
    follow_fee_day: feeDays.map((row) => printJson(row)),
    follow_staking: clocks.map((row) => printJson(row)),
    subnet_metric: metrics.map((row) => printJson(row)),
    chain: chains.map((row) => printJson(row)),
    internal_tx: frames.map(({ row }) => JSON.stringify(row)),
    nft_token: tokens.map((row) => printJson(row)),
    evm_balance: balances.map(({ row }) => row),
    follow_token: ids.map(({ row }) => row),
    block: blocks.map(({ row }) => row),
    icm_message: messages.map(({ row }) => row),
    icm_waiting: waiting.map(({ row }) => row),
    follow_gap: gaps.map(({ row }) => row),
    vertex: vertices.map((row) => printJson(row)),
    follow_pipeline: pipelines.map(({ name, firstHeight, nextHeight, lastId, lastTime, memo }) =>
      [name, firstHeight, nextHeight, lastId, lastTime, JSON.stringify(memo)].join(' '),
    ),
  };
}

/** The same of a network that was followed without interruption. */
export async function dumpOf(filling: Filling): Promise<Record<string, unknown[]>> {
  const database = await createDatabase({ filling });
  const pool = createPool(database.url, 2);
  try {
    return await dumpFollowed(storageOn(pool));
  } finally {
    await pool.end();
    await database.drop();
  }
}
