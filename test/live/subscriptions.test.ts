import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { blockchainIds } from '../../src/avalanche/networks.js';
import { createApp, type TestApp } from '../harness/app.js';
import { poolOf } from '../harness/connections.js';
import { addresses, chainRow, frameRow, hashOf, messageRow } from '../harness/evm-rows.js';
import { addressOf, idOf, outputId, transactionRow, utxoRow } from '../harness/ledger-rows.js';
import { listen } from '../harness/listen.js';
import { until } from '../harness/raw-client.js';
import { importRows } from '../harness/seed.js';
import { openStream, type Stream } from '../harness/stream.js';

let gateway: TestApp;
let url: string;
const open: Stream[] = [];
beforeAll(async () => {
  gateway = await createApp();
  url = await listen(gateway.app);
});
afterAll(() => gateway.close());
beforeEach(() => {
  for (const each of open.splice(0)) each.close();
});

async function subscribe(field: string, selection: string, variables?: object): Promise<Stream> {
  const stream = await openStream(url, `subscription { ${field} { cursor ${selection} } }`, { variables });
  open.push(stream);
  return stream;
}

const OUTPUTS = 'mainnet.p-chain.utxos';
const TRANSACTIONS = 'mainnet.p-chain.transactions';
const nodesOf = ({ events }: Stream) => events.map(({ node }) => node);
const ofAnna = (more = '') => `utxos(network: mainnet, addresses: ["${addressOf('anna')}"]${more})`;
const output = 'change node { utxoId consumingTxHash }';

describe('outputs of an address', () => {
  test('are events when they are stored first, and when they are spent', async () => {
    const stream = await subscribe(ofAnna(), output);
    await importRows(gateway.storage, OUTPUTS, [
      utxoRow('one'),
      utxoRow('of ben', { addresses: [addressOf('ben')] }),
    ]);
    await importRows(gateway.storage, OUTPUTS, [utxoRow('one', { consumingTxHash: idOf('spender') })]);
    await stream.have(2);
    expect(stream.events).toEqual([
      {
        cursor: expect.any(String),
        change: 'created',
        node: expect.objectContaining({ utxoId: outputId('one') }),
      },
      {
        cursor: expect.any(String),
        change: 'spent',
        node: { utxoId: outputId('one'), consumingTxHash: idOf('spender') },
      },
    ]);
    expect(new Set(stream.events.map(({ cursor }) => cursor)).size).toBe(2);
  });

  test('are no events when they are written again unchanged', async () => {
    await importRows(gateway.storage, OUTPUTS, [utxoRow('again')]);
    const stream = await subscribe(ofAnna(), output);
    await importRows(gateway.storage, OUTPUTS, [utxoRow('again')]);
    await importRows(gateway.storage, OUTPUTS, [utxoRow('after again')]);
    await stream.have(1);
    expect(nodesOf(stream)).toEqual([{ utxoId: outputId('after again'), consumingTxHash: null }]);
  });

  test('that are stored when they are spent are both, created first', async () => {
    const stream = await subscribe(ofAnna(), output);
    await importRows(gateway.storage, OUTPUTS, [utxoRow('both', { consumingTxHash: idOf('spender') })]);
    expect((await stream.have(2)).map(({ change }) => change)).toEqual(['created', 'spent']);
  });

  test('in an active stake are spent when the stake ends', async () => {
    const staked = { consumingTxHash: idOf('staker'), staked: true };
    const stream = await subscribe(ofAnna(), output);
    await importRows(gateway.storage, OUTPUTS, [utxoRow('staked', staked)]);
    await importRows(gateway.storage, OUTPUTS, [utxoRow('staked', { ...staked, staked: false })]);
    expect((await stream.have(2)).map(({ change }) => change)).toEqual(['created', 'spent']);
  });

  test('are filtered by amount, and by the chain where they can be consumed', async () => {
    const large = await subscribe(ofAnna(', minUtxoAmount: 2000'), output);
    const onX = await subscribe(ofAnna(', blockchainId: "x-chain"'), output);
    await importRows(gateway.storage, OUTPUTS, [
      utxoRow('small'),
      utxoRow('large', { amount: '2000' }),
      utxoRow('exported', { consumedOnChainId: blockchainIds.mainnet.x }),
    ]);
    await large.have(1);
    await onX.have(1);
    expect([...nodesOf(large), ...nodesOf(onX)]).toEqual([
      expect.objectContaining({ utxoId: outputId('large') }),
      expect.objectContaining({ utxoId: outputId('exported') }),
    ]);
  });
});

test('transactions are events of the addresses that they touch, and of their types', async () => {
  const byAddress = await subscribe(
    `transactions(network: mainnet, addresses: ["${addressOf('carla')}"])`,
    'node { txHash emittedUtxos(first: 5) { nodes { addresses } } }',
  );
  const byType = await subscribe(
    'transactions(network: mainnet, blockchainId: "p-chain", txTypes: [ImportTx])',
    'node { txHash txType }',
  );
  const carlas = utxoRow('carlas', { addresses: [addressOf('carla')], txHash: idOf('to carla') });
  await importRows(gateway.storage, TRANSACTIONS, [
    transactionRow('to carla', { emittedUtxos: [carlas] }),
    transactionRow('an import', { txType: 'ImportTx' }),
  ]);
  await importRows(gateway.storage, TRANSACTIONS, [
    transactionRow('of carla', { consumedUtxos: [{ ...carlas, consumingTxHash: idOf('of carla') }] }),
  ]);
  await byAddress.have(2);
  await byType.have(1);
  expect(nodesOf(byAddress)).toEqual([
    { txHash: idOf('to carla'), emittedUtxos: { nodes: [{ addresses: [addressOf('carla')] }] } },
    { txHash: idOf('of carla'), emittedUtxos: { nodes: [] } },
  ]);
  expect(nodesOf(byType)).toEqual([{ txHash: idOf('an import'), txType: 'ImportTx' }]);
});

test('blocks, and the status of their chain, are events when transactions name them', async () => {
  const blocks = await subscribe('blocks(network: mainnet, blockchainId: "p-chain")', 'node { number hash }');
  const newest = 'blocks(first: 1) { nodes { number } } transactions(first: 1) { nodes { blockNumber } }';
  const status = await subscribe(
    'chainStatus(network: mainnet)',
    `node { blockchainAlias blockNumber ${newest} }`,
  );
  const row = (name: string) => transactionRow(name, { blockNumber: '7777', blockHash: idOf('block 7777') });
  await importRows(gateway.storage, TRANSACTIONS, [row('in block'), row('also in block')]);
  await blocks.have(1);
  await status.have(1);
  expect(nodesOf(blocks)).toEqual([{ number: '7777', hash: idOf('block 7777') }]);
  expect(nodesOf(status)).toEqual([
    {
      blockchainAlias: 'p-chain',
      blockNumber: '7777',
      blocks: { nodes: [{ number: '7777' }] },
      transactions: { nodes: [{ blockNumber: '7777' }] },
    },
  ]);
});

test('messages are events when they are stored first, filtered as their list is', async () => {
  const from = await subscribe(`icmMessages(from: "${addresses[2]}")`, 'node { messageId status }');
  const all = await subscribe('icmMessages(network: fuji)', 'node { messageId }');
  const first = messageRow({ messageId: hashOf('first').slice(2), from: addresses[2] });
  await importRows(gateway.storage, 'fuji.icm.messages', [
    first,
    messageRow({ messageId: hashOf('second').slice(2), from: addresses[3] }),
  ]);
  await from.have(1);
  await all.have(2);
  expect(nodesOf(from)).toEqual([{ messageId: hashOf('first').slice(2), status: first['status'] }]);
});

test('internal transactions are events of their chain, and of several addresses', async () => {
  await importRows(gateway.storage, 'evm.chains', [chainRow('4242')]);
  const ofTwo = await subscribe(
    `internalTransactions(chainId: "4242", addresses: ["${addresses[2]}", "${addresses[3].toLowerCase()}"])`,
    'node { txHash from { address } }',
  );
  await importRows(gateway.storage, 'evm.4242.internal-transactions', [
    frameRow({ txHash: hashOf('a'), from: { address: addresses[0] }, to: { address: addresses[1] } }),
    frameRow({ txHash: hashOf('b'), from: { address: addresses[2] } }),
    frameRow({ txHash: hashOf('c'), to: { address: addresses[3] } }),
  ]);
  await ofTwo.have(2);
  expect(nodesOf(ofTwo).map(({ txHash }) => txHash)).toEqual([hashOf('b'), hashOf('c')]);
});

describe('a break', () => {
  test('is no hole: a stream goes on after the cursor of any event, also of another stream', async () => {
    const before = await subscribe(ofAnna(), output);
    await importRows(gateway.storage, OUTPUTS, [utxoRow('x1'), utxoRow('x2'), utxoRow('x3')]);
    await before.have(3);
    before.close();
    await importRows(gateway.storage, OUTPUTS, [utxoRow('x4')]);
    const [, second] = before.events;
    const resumed = await subscribe(ofAnna(`, after: "${second?.cursor}"`), output);
    await resumed.have(2);
    await importRows(gateway.storage, OUTPUTS, [utxoRow('x5')]);
    await resumed.have(3);
    expect(nodesOf(resumed).map(({ utxoId }) => utxoId)).toEqual(['x3', 'x4', 'x5'].map(outputId));
    expect(resumed.events[0]).toEqual(before.events[2]);
  });

  test('that lasted too long is an error with a code', async () => {
    const before = await subscribe(ofAnna(), output);
    await importRows(gateway.storage, OUTPUTS, [utxoRow('old')]);
    await before.have(1);
    await poolOf(gateway.storage).query(`UPDATE feed SET written_at = written_at - interval '25 hours'`);
    await importRows(gateway.storage, OUTPUTS, [utxoRow('new')]);
    const resumed = await subscribe(ofAnna(`, after: "${before.events[0]?.cursor}"`), output);
    expect(await resumed.ended()).toBe('complete');
    expect(resumed.errors).toEqual([
      {
        message: expect.stringContaining('24 hours'),
        path: ['utxos'],
        locations: expect.anything(),
        extensions: { code: 'EVENTS_LOST' },
      },
    ]);
  });

  test('with what is no cursor is an error that shows it', async () => {
    const resumed = await subscribe(ofAnna(', after: "nonsense"'), output);
    expect(resumed.errors[0]?.message).toContain('after: "nonsense" is not a cursor');
    expect(resumed.errors[0]?.extensions.code).toBe('BAD_USER_INPUT');
  });
});

test('a stream goes on where no notice arrives any more', async () => {
  const stream = await subscribe(ofAnna(), output);
  const { rows } = await poolOf(gateway.storage).query<{ gone: boolean }>(
    `SELECT pg_terminate_backend(pid) AS gone FROM pg_stat_activity
     WHERE application_name = 'moraine listener' AND datname = current_database()`,
  );
  expect(rows).toEqual([{ gone: true }]);
  await importRows(gateway.storage, OUTPUTS, [utxoRow('without notice')]);
  await stream.have(1);
});

test('nothing is read or listened to while there is no stream', async () => {
  const listeners = async () => {
    const { rows } = await poolOf(gateway.storage).query(
      `SELECT 1 FROM pg_stat_activity WHERE application_name = 'moraine listener' AND datname = current_database()`,
    );
    return rows.length;
  };
  const stream = await subscribe(ofAnna(), output);
  expect(await until(async () => (await listeners()) === 1)).toBe(true);
  stream.close();
  expect(await until(async () => (await listeners()) === 0)).toBe(true);
});

describe('a client that', () => {
  test('accepts no stream learns which type it needs', async () => {
    const query = `subscription { ${ofAnna()} { cursor } }`;
    const reply = await gateway.post(
      '/graphql',
      { 'content-type': 'application/json', accept: 'application/json' },
      JSON.stringify({ query }),
    );
    expect(reply.status).toBe(406);
    expect(reply.body.errors[0].message).toContain('text/event-stream');
  });

  test('accepts only a stream gets the result of a query, and errors of documents, as one event', async () => {
    const query = await openStream(url, '{ serviceConfig { maxDepth } }');
    expect([await query.ended(), query.events]).toEqual(['complete', [{ maxDepth: 15 }]]);
    const wrong = await openStream(url, 'subscription { nothing }');
    expect([await wrong.ended(), wrong.errors[0]?.extensions.code]).toEqual(['complete', 'BAD_USER_INPUT']);
  });

  test('sends its subscription in the address, as EventSource does', async () => {
    const query = encodeURIComponent(`subscription { ${ofAnna()} { cursor } }`);
    const controller = new AbortController();
    const reply = await fetch(`${url}/graphql?query=${query}`, {
      headers: { accept: 'text/event-stream' },
      signal: controller.signal,
    });
    expect(reply.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    controller.abort();
  });
});
