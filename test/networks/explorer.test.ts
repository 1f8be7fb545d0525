import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import { createApp, type TestApp } from '../harness/app.js';
import { describeInBrowser, launchBrowser, openPage } from '../harness/browser.js';
import { settled, walk } from '../harness/explorer-walk.js';
import { explore, networkPages } from '../harness/explorer-network-pages.js';
import { comparedKinds, equalsRest } from '../harness/explorer-rest.js';
import { networkFilling } from '../harness/followed.js';
import { listen } from '../harness/listen.js';
import { hasRecordedNode } from '../harness/recorded-node.js';

/** All that a page of a transaction shows, as the graph has it. */
const FACTS = `query ($chain: String!, $hash: String!) {
  transaction(network: fuji, blockchainId: $chain, txHash: $hash) {
    txType chainTxType blockNumber memo nodeId subnetId sourceChain destinationChain delegationFeePercent estimatedReward
    rewardAddresses rewardTxHash stakingTxHash
    amountBurned { amount denomination } value { amount denomination } amountStaked { amount denomination }
    blsCredentials { publicKey } blockchainInfo { chainName vmId } createdEvmChainId
    subnetOwnershipInfo { addresses threshold } l1ValidatorManagerDetails { contractAddress blockchainId }
    l1ValidatorDetails { validationId nodeId weight }
    evmInputs { address } evmOutputs { address }
    block { blockType child { blockType } }
    rewardTransaction { emittedUtxos(first: 10) { nodes { rewardType amount } } }
    consumedUtxos(first: 24) { totalCount }
    emittedUtxos(first: 24) { totalCount nodes {
      staked consumingTxHash createdOnChainId consumedOnChainId platformLocktime stakeableLocktime addresses threshold
    } }
  }
}`;

/** An amount as facts have it: exact, grouped by thousands, without zeros at the end. */
function exact({ amount, denomination }: { amount: string; denomination: number }): string {
  const digits = amount.padStart(denomination + 1, '0');
  const whole = digits.slice(0, digits.length - denomination).replace(/\B(?=(\d{3})+$)/g, ',');
  const rest = digits.slice(digits.length - denomination).replace(/0+$/, '');
  return rest ? `${whole}.${rest}` : whole;
}

/** What can be done with an output, as the page has to say it. */
function stateOf(output: any): string {
  const isLater = (seconds: unknown) => Number(seconds ?? 0) * 1000 > Date.now();
  if (output.consumingTxHash) return 'Spent by';
  if (output.staked) return 'Staked';
  if (output.createdOnChainId !== output.consumedOnChainId) return 'Exported, waits for import on';
  return isLater(output.platformLocktime) || isLater(output.stakeableLocktime) ? 'Locked' : 'Spendable';
}

/** If the page is that of a transaction: it has a sentence and all that the graph says of the transaction. */
async function showsFacts(page: Page, gateway: TestApp): Promise<void> {
  const [, chain, hash] = /explore\/fuji\/(.-chain)\/transactions\/(\w+)$/.exec(page.url()) ?? [];
  if (!chain || !hash) return;
  const { data, errors } = await gateway.graphql<any>(FACTS, { chain, hash });
  expect(errors).toBeUndefined();
  const tx = data.transaction;
  const heading = await page.getByRole('heading', { level: 1 }).textContent();
  console.log(`${chain} ${tx.chainTxType}: ${heading}`);
  expect(heading).not.toMatch(/Transaction|unknown|no name|a subnet|a node/);
  const text = (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ');
  const paid = tx.rewardTransaction?.emittedUtxos.nodes.filter((output: any) => output.rewardType) ?? [];
  const decision = { commit: 'committed', abort: 'aborted' }[tx.block?.child?.blockType as string];
  const owners = tx.subnetOwnershipInfo;
  const facts = [
    tx.chainTxType,
    tx.blockNumber && Number(tx.blockNumber).toLocaleString('en'),
    ...[tx.amountBurned, tx.value, tx.amountStaked].flat().map(exact),
    ...paid.map(({ amount }: any) => exact({ amount, denomination: 9 })),
    tx.estimatedReward && exact({ amount: tx.estimatedReward, denomination: 9 }),
    tx.nodeId,
    tx.rewardTxHash,
    tx.stakingTxHash,
    tx.blsCredentials?.publicKey,
    tx.subnetId === PRIMARY ? 'Primary network' : tx.subnetId,
    ...(tx.rewardAddresses ?? []),
    tx.delegationFeePercent && `${tx.delegationFeePercent} %`,
    tx.blockchainInfo?.chainName,
    tx.blockchainInfo?.vmId,
    tx.createdEvmChainId,
    tx.l1ValidatorManagerDetails?.contractAddress,
    tx.l1ValidatorManagerDetails?.blockchainId,
    owners?.addresses.length > 1 && `${owners.threshold} of ${owners.addresses.length} must sign`,
    tx.block?.blockType === 'proposal' && decision,
    ...(tx.l1ValidatorDetails ?? []).map(({ weight }: any) =>
      weight === '0' ? 'removed' : Number(weight).toLocaleString('en'),
    ),
    ...[...(tx.evmInputs ?? []), ...(tx.evmOutputs ?? [])].map(({ address }: any) => address.slice(0, 10)),
    ...tx.emittedUtxos.nodes.map(stateOf),
    ...tx.emittedUtxos.nodes
      .filter(({ addresses }: any) => addresses.length > 1)
      .map(({ addresses, threshold }: any) => `${threshold} of ${addresses.length} must sign`),
  ].filter((fact) => fact !== null && fact !== undefined && fact !== false);
  for (const fact of facts) expect(text, `${chain} ${hash}`).toContain(String(fact));
  expect(text).not.toContain('not known');
}

const PRIMARY = '11111111111111111111111111111111LpoYY';

describe.runIf(hasRecordedNode)('the explorer of network A, followed from its genesis', () => {
  let gateway: TestApp;
  let origin: string;
  beforeAll(async () => {
    gateway = await createApp({}, { filling: networkFilling('network-a') });
    origin = await listen(gateway.app);
  });
  afterAll(async () => {
    await gateway.close();
    adoptIdentities({});
  });

  describeInBrowser('in Chromium', () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launchBrowser();
    });
    afterAll(() => browser.close());

    test('shows each page: accessible, without errors and requests to other hosts, within half of the default cost', async () => {
      const all = await networkPages(gateway);
      console.log(`${Object.keys(all).length} pages of network A: ${Object.keys(all).join(', ')}`);
      expect(Object.keys(all).length).toBeGreaterThan(60);
      const counts: Record<string, number> = {};
      const check = async (page: Page) => {
        await showsFacts(page, gateway);
        const equal = await equalsRest(page, gateway);
        if (equal) counts[equal.kind] = (counts[equal.kind] ?? 0) + equal.count;
      };
      const most = await walk(browser, { origin, pages: all, colorScheme: 'light', width: 1440, check });
      console.log(`values that are those of REST, by kind of page: ${JSON.stringify(counts)}`);
      for (const kind of comparedKinds) expect(counts[kind], kind).toBeGreaterThan(0);
      console.log(`the page that costs most is ${most.name}: ${most.cost}`);
    });

    test.each([390, 768])('at %i pixels the pages with the widest rows show all of them', async (width) => {
      const all = await networkPages(gateway);
      const widest = /^(newest|validators|subnets|messages?|EVM transaction|contract|address, stakes)$/;
      const pages = Object.fromEntries(Object.entries(all).filter(([name]) => widest.test(name)));
      expect(Object.keys(pages)).toHaveLength(8);
      await walk(browser, { origin, pages, colorScheme: 'light', width });
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
      expect(await page.locator('main').innerText()).not.toMatch(/not followed|No chain is followed/i);
      expect(complaints).toEqual([]);
      await close();
    });
  });
});
