import { afterAll, beforeAll, expect, test } from 'vitest';
import { blockchainIds } from '../../../src/avalanche/networks.js';
import { poolOf } from '../../harness/connections.js';
import { addressOf, idOf, transactionRow, utxoRow } from '../../harness/ledger-rows.js';
import { ACCRUED, NOW, PRICE, writeStakers } from '../../harness/present-stakers.js';
import { importRows } from '../../harness/seed.js';
import { openStream } from '../../harness/stream.js';
import { openReceiver, openWebhooks, type Receiver, type WebhookGateway } from '../../harness/webhooks.js';

let gateway: WebhookGateway;
let receiver: Receiver;
beforeAll(async () => {
  gateway = await openWebhooks();
  receiver = await openReceiver();
});
afterAll(async () => {
  await gateway.close();
  await receiver.close();
});

const OUTPUTS = 'mainnet.p-chain.utxos';
const NODE = 'NodeID-A9B1z9N9GzNK376G2qDV5et6dusVADSb3';
const SUBNET = idOf('a subnet');
/** The events of one webhook, without what they all have. */
const eventsOf = (id: string) =>
  receiver.received.filter(({ body }) => body.webhookId === id).map(({ body }) => body.event);
const subEventsOf = (id: string) => eventsOf(id).map(({ subEvent }) => subEvent as string);

test('events of outputs are those of the stream, and name the outputs of the REST list', async () => {
  const anna = addressOf('anna');
  const stream = await openStream(
    gateway.options.serverURL,
    `subscription { utxos(network: mainnet, addresses: ["${anna}"], blockchainId: "p-chain") { cursor change node { utxoId } } }`,
  );
  const id = await gateway.watch(receiver.url, ['anna'], {
    subEvents: { addressActivitySubEvents: ['balance_change', 'reward_distribution'] },
  });
  const large = { amount: '5000', stakeableLocktime: 18_446_744_073_709_551_615n.toString() };
  await importRows(gateway.storage, OUTPUTS, [
    utxoRow('one'),
    utxoRow('of ben', { addresses: [addressOf('ben')] }),
    utxoRow('shared', { addresses: [addressOf('ben'), anna].sort(), threshold: 2 }),
    utxoRow('paid', { rewardType: 'VALIDATOR' }),
  ]);
  await importRows(gateway.storage, 'mainnet.x-chain.utxos', [
    utxoRow('on x', {
      createdOnChainId: blockchainIds.mainnet.x,
      consumedOnChainId: blockchainIds.mainnet.x,
    }),
  ]);
  await importRows(gateway.storage, OUTPUTS, [utxoRow('one', { consumingTxHash: idOf('spender') })]);
  await importRows(gateway.storage, OUTPUTS, [
    utxoRow('large', { ...large, stakeableLocktime: 4_000_000_000 }),
  ]);
  await stream.have(5);
  await receiver.have(6);
  const streamed = stream.events.map(({ change, node }) => [change, (node as { utxoId: string }).utxoId]);
  stream.close();
  const changes = eventsOf(id).filter(({ subEvent }) => subEvent === 'balance_change');
  expect(changes.map(({ change, utxo }) => [change, utxo.utxoId])).toEqual(streamed);
  expect(subEventsOf(id).filter((each) => each === 'reward_distribution')).toHaveLength(1);
  expect(changes.every(({ addresses }) => JSON.stringify(addresses) === JSON.stringify([anna]))).toBe(true);
  const list = await gateway.get(
    `/v1/networks/mainnet/blockchains/p-chain/utxos?addresses=${anna}&includeSpent=true`,
  );
  const stored = new Map((list.body.utxos as { utxoId: string }[]).map((each) => [each.utxoId, each]));
  expect(new Set(changes.map(({ utxo }) => utxo.utxoId))).toEqual(new Set(stored.keys()));
  const newest = changes.at(-1)!['utxo'];
  expect(stored.get(newest.utxoId)).toMatchObject(newest);
});

test('a balance that crosses its threshold is sent once for each side', async () => {
  const carla = { addresses: [addressOf('carla')] };
  await importRows(gateway.storage, OUTPUTS, [utxoRow('carla 1', { ...carla, amount: '600' })]);
  const id = await gateway.watch(receiver.url, ['carla'], {
    subEvents: { addressActivitySubEvents: ['balance_threshold'] },
    balanceThresholdFilter: { balanceType: 'unlockedUnstaked', balanceThreshold: '1000' },
  });
  const count = receiver.received.length;
  await importRows(gateway.storage, OUTPUTS, [utxoRow('carla 2', { ...carla, amount: '300' })]);
  await importRows(gateway.storage, OUTPUTS, [utxoRow('carla 3', { ...carla, amount: '100' })]);
  await receiver.have(count + 1);
  await importRows(gateway.storage, OUTPUTS, [utxoRow('carla 4', { ...carla, amount: '100' })]);
  await importRows(gateway.storage, OUTPUTS, [
    utxoRow('carla 1', { ...carla, amount: '600', consumingTxHash: idOf('spender of carla') }),
  ]);
  await receiver.have(count + 2);
  const shown = {
    subEvent: 'balance_threshold',
    address: addressOf('carla'),
    balanceType: 'unlockedUnstaked',
  };
  expect(eventsOf(id)).toEqual([
    expect.objectContaining({ ...shown, side: 'above', balance: '1000' }),
    expect.objectContaining({ ...shown, side: 'below', balance: '500' }),
  ]);
});

test('validators: stakes, delegations, their ends and L1 validators, by node and by subnet', async () => {
  const create = async (keyType: 'nodeId' | 'subnetId', keys: string[], more: object = {}) => {
    const { id } = await gateway.client.webhooks.create(
      {
        eventType: 'validator_activity',
        url: receiver.url,
        network: 'mainnet',
        metadata: {
          keyType,
          keys,
          subEvents: {
            validatorActivitySubEvents: [
              'validator_stake',
              'delegator_stake',
              'reward_distribution',
              'l1_validator_balance_increased',
              'l1_validator_disabled',
              'l1_validator_removed',
            ],
          },
          ...more,
        },
      },
      gateway.options,
    );
    return id;
  };
  const ofNode = await create('nodeId', [NODE]);
  const ofSubnet = await create('subnetId', [SUBNET]);
  const narrowed = await create('nodeId', [NODE], { subnetIds: [SUBNET] });
  const count = receiver.received.length;
  const period = { startTimestamp: 1_700_000_000, endTimestamp: 1_701_000_000 };
  const l1 = {
    validationId: idOf('a validation'),
    nodeId: NODE,
    subnetId: SUBNET,
    weight: 7,
    remainingBalance: 5,
  };
  await importRows(gateway.storage, 'mainnet.p-chain.transactions', [
    transactionRow('stakes', { txType: 'AddPermissionlessValidatorTx', nodeId: NODE, ...period }),
    transactionRow('delegates', { txType: 'AddDelegatorTx', nodeId: NODE, ...period }),
    transactionRow('another node', {
      txType: 'AddDelegatorTx',
      nodeId: 'NodeID-111111111111111111116DBWJs',
      ...period,
    }),
    transactionRow('ends', { txType: 'RewardValidatorTx', stakingTxHash: idOf('delegates') }),
    transactionRow('adds', { txType: 'IncreaseL1ValidatorBalanceTx', l1ValidatorDetails: [l1] }),
    transactionRow('disables', { txType: 'DisableL1ValidatorTx', l1ValidatorDetails: [l1] }),
    transactionRow('weighs', { txType: 'SetL1ValidatorWeightTx', l1ValidatorDetails: [l1] }),
    transactionRow('removes', {
      txType: 'SetL1ValidatorWeightTx',
      l1ValidatorDetails: [{ ...l1, weight: 0 }],
    }),
  ]);
  await receiver.have(count + 12);
  const ofL1 = ['l1_validator_balance_increased', 'l1_validator_disabled', 'l1_validator_removed'];
  expect(subEventsOf(ofNode).sort()).toEqual([
    'delegator_stake',
    ...ofL1,
    'reward_distribution',
    'validator_stake',
  ]);
  expect(subEventsOf(ofSubnet).sort()).toEqual(ofL1);
  expect(subEventsOf(narrowed).sort()).toEqual(ofL1);
  expect(eventsOf(ofNode).find(({ subEvent }) => subEvent === 'reward_distribution')).toMatchObject({
    nodeId: NODE,
    subnetId: blockchainIds.mainnet.p,
    transaction: { txHash: idOf('ends'), txType: 'RewardValidatorTx', stakingTxHash: idOf('delegates') },
  });
});

test('an L1 validator whose balance falls below the threshold is sent, and again when it is topped up', async () => {
  const validator = (name: string, nodeId: string, balance: bigint) => ({
    validationId: idOf(name),
    subnetId: SUBNET,
    nodeId,
    weight: 5n,
    endFee: ACCRUED + balance,
    owner: { threshold: 1, addresses: ['00'.repeat(20)] },
    activeSince: NOW,
    paidDay: null,
    sinceFee: ACCRUED,
  });
  await writeStakers(
    gateway.storage,
    [],
    [
      validator('watched', NODE, 2000n),
      validator('poor from the beginning', NODE, 900n),
      validator('of another node', 'NodeID-111111111111111111116DBWJs', 10n),
    ],
  );
  const { id } = await gateway.client.webhooks.create(
    {
      eventType: 'validator_activity',
      url: receiver.url,
      network: 'fuji',
      metadata: {
        keyType: 'subnetId',
        keys: [SUBNET],
        subEvents: { validatorActivitySubEvents: ['l1_validator_balance_threshold'] },
        nodeIds: [NODE],
        l1ValidatorFeeBalanceThreshold: '1000',
      },
    },
    gateway.options,
  );
  let blocks = 0;
  /** A block of the P-chain after the state has changed. */
  const block = async (sql: string) => {
    await poolOf(gateway.storage).query(sql);
    await importRows(gateway.storage, 'fuji.p-chain.transactions', [transactionRow(`fees ${(blocks += 1)}`)]);
  };
  const had = (count: number) => expect.poll(() => eventsOf(id), { timeout: 15_000 }).toHaveLength(count);
  const spend = (fee: number) => block(`UPDATE follow_staking SET accrued = accrued + ${fee}`);
  await spend(PRICE);
  await had(1);
  await spend(PRICE);
  await had(2);
  await spend(PRICE);
  await block(
    `UPDATE follow_l1_validator SET end_fee = end_fee + 1000 WHERE validation_id = '${idOf('watched')}'`,
  );
  await had(3);
  const shown = {
    subEvent: 'l1_validator_balance_threshold',
    nodeId: NODE,
    subnetId: SUBNET,
    network: 'fuji',
  };
  const of = (name: string, balance: number, side: string) => ({
    ...shown,
    validationId: idOf(name),
    balance: String(balance),
    balanceThreshold: '1000',
    side,
  });
  expect(eventsOf(id)).toEqual([
    expect.objectContaining(of('poor from the beginning', 900 - PRICE, 'below')),
    expect.objectContaining(of('watched', 2000 - 2 * PRICE, 'below')),
    expect.objectContaining(of('watched', 3000 - 3 * PRICE, 'above')),
  ]);
});
