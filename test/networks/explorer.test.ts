import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import { createApp, type TestApp } from '../harness/app.js';
import { describeInBrowser, launchBrowser, openPage } from '../harness/browser.js';
import { settled, walk } from '../harness/explorer-walk.js';
import { networkFilling } from '../harness/followed.js';
import { hasRecordedNode } from '../harness/recorded-node.js';

const explore = (...parts: string[]) => ['/explore/fuji', ...parts.map(encodeURIComponent)].join('/');

/** What a followed network has a page of, as the graph lists it. */
const LISTS = `{
  p: transactions(network: fuji, blockchainId: "p-chain", first: 100) { nodes { ...Line } }
  x: transactions(network: fuji, blockchainId: "x-chain", first: 100) { nodes { ...Line } }
  c: transactions(network: fuji, blockchainId: "c-chain", first: 100) { nodes { ...Line } }
  subnets(network: fuji, first: 100) { nodes { subnetId metric(metric: perSubnetDailyFeesPaid, first: 1) { nodes { value } } } }
  validators(network: fuji, first: 3) { nodes { nodeId } }
  l1Validators(network: fuji, first: 2) { nodes { validationId } }
  assets(network: fuji, first: 3) { nodes { assetId } }
  chains(network: fuji, first: 1) { nodes { chainId internalTransactions(first: 5) { nodes { txHash from { address } to { address } } } } }
}
fragment Line on Transaction {
  txHash txType blockNumber blockchainAlias
  emittedUtxos(first: 1) { nodes { addresses } }
}`;

describe.runIf(hasRecordedNode)('the explorer of network A, followed from its genesis', () => {
  let gateway: TestApp;
  let origin: string;
  beforeAll(async () => {
    gateway = await createApp({}, { filling: networkFilling('network-a') });
    origin = await gateway.app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(async () => {
    await gateway.close();
    adoptIdentities({});
  });

  /** A page of each kind, and of each type of transaction of each chain. */
  async function pages(): Promise<Record<string, string>> {
    const { data, errors } = await gateway.graphql<any>(LISTS);
    expect(errors).toBeUndefined();
    const found: Record<string, string> = {
      first: '/',
      newest: explore(),
      status: explore('status'),
      composite: explore('composite'),
    };
    for (const kind of ['validators', 'subnets', 'l1-validators', 'assets', 'messages', 'evm'])
      found[kind] = explore(kind);
    for (const { txHash, txType, blockNumber, blockchainAlias, emittedUtxos } of ['p', 'x', 'c'].flatMap(
      (chain) => data[chain].nodes,
    )) {
      found[`${blockchainAlias} ${txType}`] ??= explore(blockchainAlias, 'transactions', txHash);
      found[`steps of a ${blockchainAlias} ${txType}`] ??=
        `${explore(blockchainAlias, 'transactions', txHash)}?before=3&after=3`;
      if (blockNumber)
        found[`block of the ${blockchainAlias}`] ??= explore(blockchainAlias, 'blocks', blockNumber);
      const owner = emittedUtxos.nodes[0]?.addresses[0];
      if (owner) found[`address on the ${blockchainAlias}`] ??= explore('addresses', owner);
    }
    for (const { subnetId, metric } of data.subnets.nodes)
      found[metric.nodes.length > 0 ? 'L1 with fees' : 'subnet'] ??= explore('subnets', subnetId);
    for (const [position, { nodeId }] of data.validators.nodes.entries())
      found[`validator ${position}`] = explore('validators', nodeId);
    for (const [position, { validationId }] of data.l1Validators.nodes.entries())
      found[`L1 validator ${position}`] = explore('l1-validators', validationId);
    for (const [position, { assetId }] of data.assets.nodes.entries())
      found[`asset ${position}`] = explore('assets', assetId);
    const [chain] = data.chains.nodes;
    found['EVM chain'] = explore('evm', chain.chainId);
    for (const { txHash, from, to } of chain.internalTransactions.nodes) {
      found['EVM transaction'] ??= explore('evm', chain.chainId, 'transactions', txHash);
      found['contract'] ??= explore('evm', chain.chainId, 'addresses', from.address);
      found['EVM address'] ??= explore('evm', chain.chainId, 'addresses', to.address);
    }
    // No list of the graph has all collections. Of one whose tokens have no owner nothing is listed.
    const nft = await gateway.storage.prisma.nftToken.findFirstOrThrow({ where: { owner: { not: null } } });
    const collection = `0x${Buffer.from(nft.address).toString('hex')}`;
    const { evmChainId, tokenId } = nft;
    found['NFT collection'] = explore('evm', String(evmChainId), 'nfts', collection);
    found['NFT'] = explore('evm', String(evmChainId), 'nfts', collection, tokenId.toFixed());
    return found;
  }

  describeInBrowser('in Chromium', () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launchBrowser();
    });
    afterAll(() => browser.close());

    test('shows each page: accessible, without errors and requests to other hosts, within half of the default cost', async () => {
      const all = await pages();
      console.log(`${Object.keys(all).length} pages of network A: ${Object.keys(all).join(', ')}`);
      expect(Object.keys(all).length).toBeGreaterThan(60);
      const most = await walk(browser, { origin, pages: all, colorScheme: 'light', width: 1440 });
      console.log(`the page that costs most is ${most.name}: ${most.cost}`);
    });

    test('a composite query says up to when the balances of the followed chain are known', async () => {
      const { data } = await gateway.graphql<any>(
        `{ chains(network: fuji, first: 1) { nodes { chainId internalTransactions(first: 1) { nodes { blockTimestamp } } } } }`,
      );
      const [{ chainId, internalTransactions }] = data.chains.nodes;
      const condition = { kind: 'latestNative', evmChainId: chainId, minBalance: '1' };
      const ask = JSON.stringify({ operator: 'AND', conditions: [condition] });
      const { page, complaints, close } = await openPage(browser, origin);
      await page.goto(`${origin}${explore('composite')}?ask=${encodeURIComponent(ask)}`);
      await page.getByText('Condition 1 alone').waitFor();
      const time = await page.locator('main section time').getAttribute('datetime');
      expect(Date.parse(time ?? '') / 1000).toBeGreaterThanOrEqual(
        internalTransactions.nodes[0].blockTimestamp,
      );
      expect(
        await page.getByRole('region', { name: 'Addresses' }).locator('tbody tr').count(),
      ).toBeGreaterThan(5);
      expect(complaints).toEqual([]);
      await close();
    });

    test('the status page says that each chain is followed and has all blocks of the node', async () => {
      const { page, complaints, close } = await openPage(browser, origin);
      await page.goto(origin + explore('status'));
      await settled(page);
      const rows = await page.getByRole('region', { name: 'Chains' }).locator('tbody tr').allTextContents();
      expect(rows).toHaveLength(3);
      for (const row of rows) expect(row).not.toContain('not followed');
      expect(complaints).toEqual([]);
      await close();
    });
  });
});
