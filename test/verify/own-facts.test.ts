import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { compareOwnFacts } from '../../src/verify/own-facts.js';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import { createApp, type TestApp } from '../harness/app.js';
import { connectTo } from '../harness/connections.js';
import { idOf } from '../harness/evm-rows.js';
import { createImportDatabase, runImport } from '../harness/ingest.js';
import { addressOf, utxoRow, withBytes } from '../harness/ledger-rows.js';
import { ownRow } from '../harness/own-network.js';

let gateway: TestApp;
const made = idOf('a chain');
const subnetId = idOf('a subnet');

/** A chain that a transaction made, and one of a network; the fees of a day, and their metric. */
beforeAll(async () => {
  gateway = await createApp();
  const { prisma } = gateway.storage;
  await prisma.followNetwork.create({ data: ownRow });
  await prisma.transaction.create({
    data: {
      network: 'fuji',
      chain: 'p',
      txHash: made,
      txType: 'CreateChainTx',
      blockTimestamp: 1,
      tie: 1n,
      details: { blockchainInfo: { genesisData: { config: { chainId: 77 } } } },
    },
  });
  await prisma.icmChain.createMany({
    data: [
      { network: 'fuji', blockchainId: made, evmChainId: 77 },
      { network: 'fuji', blockchainId: ownRow.cChainId, evmChainId: String(ownRow.cEvmChainId) },
      { network: 'fuji', blockchainId: idOf('unknown'), evmChainId: 0 },
    ],
  });
  await prisma.$executeRaw`INSERT INTO follow_subnet_fee (network, subnet_id, day, fees, payers) VALUES ('fuji', ${subnetId}, 20000, 5, 1)`;
  await prisma.$executeRaw`INSERT INTO subnet_metric (network, subnet_id, series, day, value) VALUES ('fuji', ${subnetId}, 'fees_paid', 20000, 5)`;
});
afterAll(async () => {
  await gateway.close();
  adoptIdentities({});
});

const found = async (storage = gateway.storage) =>
  (await compareOwnFacts(storage)).flatMap(({ name, findings }) =>
    findings.map(({ row, column, stored, proved }) => [name, row, column, stored, proved]),
  );

test('an output that an import took for what its bytes say is that here too, and each column that is not is found', async () => {
  const database = await createImportDatabase();
  onTestFinished(() => database.close());
  const owners = ['anna', 'b'].map((name) => addressOf(name));
  const row = withBytes(utxoRow('output', { addresses: owners }));
  const taken = { ...row, addresses: owners.toReversed(), stakeableLocktime: 0 };
  await runImport(database.storage, [database.write('mainnet.p-chain.utxos.ndjson', [taken])]);
  expect(await found(database.storage)).toEqual([]);

  const client = await connectTo(database.url);
  onTestFinished(() => client.end());
  for (const [column, value, proved] of [
    ['tx_hash', made, row.txHash],
    ['output_index', '9', '0'],
    ['amount', '999', '1000'],
    ['addresses', `{${owners[0]}}`, `{${owners.join()}}`],
    ['threshold', '2', '1'],
    ['platform_locktime', '5', '0'],
    ['stakeable_locktime', '7', '0'],
    ['utxo_type', 'STAKE', 'TRANSFER'],
  ]) {
    await client.query(`UPDATE utxo SET ${column} = '${value}'`);
    expect(await found(database.storage)).toEqual([['utxo', `mainnet ${row.utxoId}`, column, value, proved]]);
    await client.query(`UPDATE utxo SET ${column} = '${proved}'`);
  }
  expect(await found(database.storage)).toEqual([]);
});

test('a false EVM chain id of a chain of messages is found, and nothing of right ones', async () => {
  expect(await found()).toEqual([]);
  const { prisma } = gateway.storage;
  await prisma.icmChain.updateMany({
    where: { evmChainId: { gt: 0 } },
    data: { evmChainId: { increment: 1 } },
  });
  expect((await found()).sort()).toEqual(
    [
      ['icm_chain', `fuji ${made}`, 'evm_chain_id', '78', '77'],
      ['icm_chain', `fuji ${ownRow.cChainId}`, 'evm_chain_id', '100000', '99999'],
    ].sort(),
  );
  await prisma.icmChain.updateMany({
    where: { evmChainId: { gt: 0 } },
    data: { evmChainId: { decrement: 1 } },
  });
});

test('of a metric that contradicts the fees of its day both are named, whichever of them is false', async () => {
  const { prisma } = gateway.storage;
  const row = `fuji ${subnetId} 20000`;
  await prisma.$executeRaw`UPDATE subnet_metric SET value = 6`;
  expect(await found()).toEqual([
    ['subnet_metric', row, 'value', '6 and 5 in follow_subnet_fee', 'the same number in both'],
  ]);
  await prisma.$executeRaw`UPDATE subnet_metric SET value = 5`;
  await prisma.$executeRaw`UPDATE follow_subnet_fee SET fees = 6`;
  expect(await found()).toEqual([
    ['subnet_metric', row, 'value', '5 and 6 in follow_subnet_fee', 'the same number in both'],
  ]);
});
