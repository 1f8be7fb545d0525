import { afterAll, beforeAll, expect, test } from 'vitest';
import { blockchainIds } from '../../src/avalanche/networks.js';
import { createApp, type TestApp } from '../harness/app.js';
import { addressOf, idOf, transactionRow, utxoRow } from '../harness/ledger-rows.js';
import { importRows } from '../harness/seed.js';

const LARGEST = (2n ** 256n - 1n).toString();
const { x } = blockchainIds.mainnet;
const owner = addressOf('anna');
const asset = { assetId: idOf('shares'), name: 'Shares', symbol: 'SHR', denomination: 0, type: 'secp256k1' };
const row = (name: string, amount: string) =>
  utxoRow(name, {
    asset: { ...asset, amount },
    assetId: undefined,
    amount: undefined,
    createdOnChainId: x,
    consumedOnChainId: x,
  });

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
});
afterAll(() => gateway.close());

test('an amount up to 2^256-1 is imported, listed, sorted, filtered and summed exactly', async () => {
  await importRows(gateway.storage, 'mainnet.x-chain.transactions', [
    transactionRow('issue', {
      txType: 'OperationTx',
      emittedUtxos: [row('most', LARGEST), row('less', '7'), row('most again', LARGEST)],
      value: [{ ...asset, amount: LARGEST }],
    }),
  ]);
  const chain = '/v1/networks/mainnet/blockchains/x-chain';
  const amounts = async (query: string) => {
    const { body } = await gateway.get(`${chain}/utxos?addresses=${owner}&sortBy=amount&${query}`);
    return (body as { utxos: { amount: string; asset: { amount: string } }[] }).utxos.flatMap((utxo) => [
      utxo.amount,
      utxo.asset.amount,
    ]);
  };
  const twice = [LARGEST, LARGEST];
  expect(await amounts('sortOrder=asc')).toEqual(['7', '7', ...twice, ...twice]);
  expect(await amounts(`minUtxoAmount=${LARGEST}`)).toEqual([...twice, ...twice]);
  expect(await amounts(`minUtxoAmount=${2n ** 256n}`)).toEqual([]);
  const { body } = await gateway.get(`${chain}/transactions/${idOf('issue')}`);
  expect(body.value).toEqual([{ ...asset, amount: LARGEST }]);
  const { data } = await gateway.graphql(
    `{ address(network: mainnet, address: "${owner}") { balances(first: 1) { nodes { unspent received } } } }`,
  );
  const sum = (2n * BigInt(LARGEST) + 7n).toString();
  expect(data).toEqual({ address: { balances: { nodes: [{ unspent: sum, received: sum }] } } });
});
