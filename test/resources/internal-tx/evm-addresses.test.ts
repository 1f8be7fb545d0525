import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp, type TestApp } from '../../harness/app.js';
import { addresses, chainRow, frameRow, idOf, messageRow } from '../../harness/evm-rows.js';
import { importRows } from '../../harness/seed.js';

const CHAIN = '77';
const [known] = addresses;
const contract = addresses[2];
const shout = (address: string) => address.toUpperCase();

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
  const { storage } = gateway;
  await importRows(storage, 'evm.chains', [chainRow(CHAIN, { blockchainId: idOf('the chain') })]);
  // Rows may be written so too, and are printed with the checksum.
  await importRows(storage, `evm.${CHAIN}.internal-transactions`, [
    frameRow({ from: { address: shout(known) } }),
  ]);
  await importRows(storage, 'fuji.icm.messages', [messageRow({ from: shout(known), data: '0XAB' })]);
  await importRows(storage, 'evm.nft-tokens', [
    { evmChainId: CHAIN, address: shout(contract), tokenId: '1', owner: shout(known) },
  ]);
  await importRows(storage, `evm.${CHAIN}.nft-holdings`, [
    { address: shout(known), contractAddress: shout(contract), date: '2026-10-01', tokenCount: 1 },
  ]);
});
afterAll(() => gateway.close());

test.each([
  [
    'internal transactions',
    (text: string) => `/v1/chains/${CHAIN}/addresses/${text}/transactions:listInternals`,
  ],
  ['messages by sender', (text: string) => `/v1/icm/messages?from=${text}`],
])('REST finds %s of an address in any case, its 0x included', async (_title, path) => {
  expect(shout(known)).toMatch(/^0X5AAEB/);
  const [given, shouted] = await Promise.all([gateway.get(path(known)), gateway.get(path(shout(known)))]);
  expect(given.status).toBe(200);
  expect(given.text).toContain(known);
  expect(shouted.text).toBe(given.text);
});

test('GraphQL finds what belongs to an address in any case, its 0x included', async () => {
  const ask = (form: (address: string) => string) =>
    gateway.graphql(`{
      evmAddress(chainId: "${CHAIN}", address: "${form(known)}") {
        address internalTransactions { nodes { from { address } } }
      }
      icmMessages(from: "${form(known)}") { nodes { from data } }
      nftTokens(chainId: "${CHAIN}", address: "${form(contract)}") { nodes { address owner } }
      compositeQuery(operator: OR, queries: [{ anyTimeNftHolders: {
        id: "a", evmChainId: "${CHAIN}", contractAddress: "${form(contract)}", firstDate: "2026-10-01", lastDate: "2026-10-02"
      } }]) { nodes }
    }`);
  const given = await ask(String);
  expect(given.errors).toBeUndefined();
  expect(given.data).toEqual({
    evmAddress: { address: known, internalTransactions: { nodes: [{ from: { address: known } }] } },
    icmMessages: { nodes: [{ from: known, data: '0xAB' }] },
    nftTokens: { nodes: [{ address: contract, owner: known }] },
    compositeQuery: { nodes: [known] },
  });
  expect(await ask(shout)).toEqual(given);
});
