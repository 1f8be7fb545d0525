import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ZERO_ID } from '../../src/avalanche/codec/ids.js';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import { createApp, type AppOptions, type TestApp } from '../harness/app.js';
import { describeInBrowser, launchBrowser, openPage } from '../harness/browser.js';
import { spentOutput } from '../harness/explorer-pages.js';
import { settled } from '../harness/explorer-walk.js';
import { networkFilling } from '../harness/followed.js';
import { hasRecordedNode } from '../harness/recorded-node.js';

/** How many clicks a task may take from the first page. A search, pasted and sent, is one. */
const MOST_CLICKS = 3;

/** What a reader has a browser do, counted. */
class Reader {
  clicks = 0;

  constructor(readonly page: Page) {}

  async click(target: Locator): Promise<void> {
    this.clicks += 1;
    await target.click();
    // The file of the page may be loaded first, while the former page is shown.
    await this.page.waitForLoadState('networkidle');
    await settled(this.page);
  }

  /** @param which what of several things is meant, as the search calls it */
  async search(text: string, which?: RegExp): Promise<void> {
    this.clicks += 1;
    await this.page.getByRole('combobox', { name: 'Search' }).fill(text);
    await this.page.keyboard.press('Enter');
    if (which) await this.click(this.page.getByRole('main').getByRole('link', { name: which }));
    await this.page.waitForURL(
      (url) => !url.pathname.endsWith('/search') && url.pathname.split('/').length > 3,
    );
    await settled(this.page);
  }

  section(name: string): Promise<void> {
    return this.click(this.page.getByRole('link', { name, exact: true }).first());
  }

  /** What the page says. */
  async text(): Promise<string> {
    return (await this.page.locator('main').innerText()).replaceAll(/\s+/g, ' ');
  }
}

/** What one of the facts or key figures of a page says. */
const fact = (page: Page, name: string) =>
  page
    .locator('dl > div', { has: page.locator('dt', { hasText: new RegExp(`^${name}$`) }) })
    .locator('dd')
    .first();

/** An amount as facts have it: exact, grouped by thousands, without zeros at the end. */
function exact(amount: string | number, denomination = 9): string {
  const digits = String(amount).padStart(denomination + 1, '0');
  const whole = digits.slice(0, digits.length - denomination).replace(/\B(?=(\d{3})+$)/g, ',');
  const rest = digits.slice(digits.length - denomination).replace(/0+$/, '');
  return rest ? `${whole}.${rest}` : whole;
}
/** The exact amount is in the title of a cut one. */
const titled = (page: Locator, amount: string | number) =>
  page.locator(`.amount[title^="${amount} smallest"]`);

/** What the tasks are about, as the graph knows it. */
const SUBJECTS = `{
  current: currentValidators(network: fuji, first: 1) { nodes { nodeId weight delegationCapacity transaction { rewardAddresses } } }
  stakes: transactions(network: fuji, blockchainId: "p-chain", first: 100,
    txTypes: [AddPermissionlessValidatorTx, AddPermissionlessDelegatorTx, AddDelegatorTx, AddValidatorTx]) {
    nodes { txHash endTimestamp estimatedReward }
  }
  outputs: utxos(network: fuji, blockchainId: "p-chain", first: 100, sortBy: amount) {
    nodes { txHash outputIndex addresses threshold staked stakeableLocktime platformLocktime utxoEndTimestamp createdOnChainId consumedOnChainId }
  }
  newest: utxos(network: fuji, blockchainId: "p-chain", first: 100) {
    nodes { txHash outputIndex addresses threshold staked stakeableLocktime platformLocktime utxoEndTimestamp }
  }
  exports: transactions(network: fuji, blockchainId: "p-chain", txTypes: [ExportTx], first: 1) { nodes { txHash } }
  messages: icmMessages(network: fuji, status: delivered, first: 1) {
    nodes { messageId sourceTransaction { timestamp } destinationTransaction { timestamp } }
  }
  any: icmMessages(network: fuji, first: 1) { nodes { messageId status } }
  days: networkStats(network: fuji, first: 2) { nodes { isRunning amountBurned } }
  created: transactions(network: fuji, blockchainId: "p-chain", txTypes: [CreateChainTx], first: 100) {
    nodes { txHash blockchainInfo { genesisData { config { chainId } alloc } } }
  }
  p: blocks(network: fuji, blockchainId: "p-chain", first: 10) { nodes { number timestamp } }
  assets(network: fuji, first: 100) { nodes { assetId name symbol holders(first: 1) { nodes { address { address } unspent } } } }
}`;

const EARNED = `query ($address: String!) {
  address(network: fuji, address: $address) { pendingRewards(first: 24) {
    nodes { txHash isDelegation potentialReward delegateeReward endTimestamp }
  } }
}`;

interface Chain {
  name: string;
  options: AppOptions;
}
const chains: Chain[] = [
  { name: 'the sample', options: { sample: true } },
  ...(hasRecordedNode ? [{ name: 'network A', options: { filling: networkFilling('network-a') } }] : []),
];

describeInBrowser('eleven tasks from the first page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  describe.each(chains)('on $name', ({ options }) => {
    let gateway: TestApp;
    let origin: string;
    let subjects: any;
    beforeAll(async () => {
      gateway = await createApp({}, options);
      origin = await gateway.app.listen({ host: '127.0.0.1', port: 0 });
      const { data, errors } = await gateway.graphql<any>(SUBJECTS);
      expect(errors).toBeUndefined();
      subjects = data;
    });
    afterAll(async () => {
      await gateway.close();
      adoptIdentities({});
    });

    /** Does a task, within its clicks. */
    async function task(does: (reader: Reader, page: Page) => Promise<void>, options = {}): Promise<void> {
      const { page, complaints, close } = await openPage(browser, origin, options);
      await page.goto(`${origin}/explore/fuji`);
      await settled(page);
      const reader = new Reader(page);
      await does(reader, page);
      console.log(`${expect.getState().currentTestName}: ${reader.clicks} clicks`);
      expect(reader.clicks).toBeLessThanOrEqual(MOST_CLICKS);
      expect(await reader.text()).not.toContain('not known');
      expect(complaints).toEqual([]);
      await close();
    }

    test('who validates now with the most stake, and how much may still be delegated to them', () =>
      task(async (reader, page) => {
        await reader.section('Validators');
        const [first] = subjects.current.nodes;
        const row = page.getByRole('region', { name: 'Validators' }).locator('tbody tr').first();
        expect(await row.locator(`a[href$="${first.nodeId}"]`).count()).toBe(1);
        expect(await titled(row, first.weight).count()).toBeGreaterThan(0);
        expect(await titled(row, first.delegationCapacity).count()).toBe(1);
      }));

    test('when a stake ends, and what it earns', () =>
      task(async (reader, page) => {
        const stake = subjects.stakes.nodes.find((each: any) => Number(each.estimatedReward) > 0);
        await reader.search(stake.txHash);
        const ends = await fact(page, 'Until').locator('time').first().getAttribute('datetime');
        expect(Date.parse(ends ?? '') / 1000).toBe(Number(stake.endTimestamp));
        expect(await fact(page, 'Reward if online').innerText()).toContain(exact(stake.estimatedReward));
      }));

    test('what an address will earn', () =>
      task(async (reader, page) => {
        const address = subjects.current.nodes[0]?.transaction?.rewardAddresses?.[0] ?? spentOutput().owner;
        const { data } = await gateway.graphql<any>(EARNED, { address });
        // The stakes of now are computed where the P-chain is followed from its genesis: not of the sample.
        const [stake] = data.address.pendingRewards.nodes;
        await reader.search(address);
        await reader.click(page.getByRole('link', { name: 'Stakes and rewards' }));
        if (!stake) {
          expect(await reader.text()).toContain('No stake that runs pays this address');
          return;
        }
        const row = page.getByRole('region', { name: 'Stakes that run' }).locator('tbody tr', {
          has: page.locator(`a[href$="${stake.txHash}"]`),
        });
        const ends = await row.locator('time').getAttribute('datetime');
        expect(Date.parse(ends ?? '') / 1000).toBe(Number(stake.endTimestamp));
        const paid = BigInt(stake.potentialReward) + BigInt(stake.delegateeReward);
        if (!stake.isDelegation) expect(await titled(row, String(paid)).count()).toBe(1);
        expect(await fact(page, 'Will be paid').innerText()).toContain('AVAX');
      }));

    test('which output is locked until when, and who must sign', () =>
      task(async (reader, page) => {
        const isLater = (seconds: unknown) => Number(seconds ?? 0) * 1000 > Date.now();
        const lockOf = (output: any) =>
          output.staked
            ? output.utxoEndTimestamp
            : [output.platformLocktime, output.stakeableLocktime].find(isLater);
        // No transaction made those of the genesis.
        const locked = [...subjects.outputs.nodes, ...subjects.newest.nodes].filter(
          (each: any) => lockOf(each) && each.outputIndex < 24 && each.txHash !== ZERO_ID,
        );
        const output = locked.find((each: any) => each.addresses.length > 1) ?? locked[0];
        await reader.search(output.txHash);
        const outputs = page.getByRole('region', { name: 'Outputs emitted' });
        const until = new Date(Number(lockOf(output)) * 1000).toISOString();
        const row = outputs.locator('tbody tr', { has: page.locator(`time[datetime="${until}"]`) }).first();
        const text = (await row.innerText()).replaceAll(/\s+/g, ' ');
        expect(text).toMatch(/Locked|Staked/);
        for (const address of output.addresses.slice(0, 3))
          expect(await outputs.locator(`a[href$="${address}"]`).count()).toBeGreaterThan(0);
        if (output.addresses.length > 1)
          expect(text).toContain(`${output.threshold} of ${output.addresses.length} must sign`);
      }));

    test('three hops back', () =>
      task(async (reader, page) => {
        await reader.search(subjects.exports.nodes[0].txHash);
        const before = page.getByRole('link', { name: 'One step more before it' });
        await reader.click(before);
        await reader.click(before);
        expect(new URL(page.url()).searchParams.get('before')).toBe('3');
        await page.locator('figure svg a').first().waitFor();
        expect(await page.locator('figure svg a').count()).toBeGreaterThan(2);
      }));

    test('how a message crossed', () =>
      task(async (reader, page) => {
        await reader.section('Messages');
        const [delivered] = subjects.messages.nodes;
        const message = delivered ?? subjects.any.nodes[0];
        await reader.click(page.locator(`a[href$="${message.messageId}"]`).first());
        const words = delivered
          ? `after ${delivered.destinationTransaction.timestamp - delivered.sourceTransaction.timestamp} s`
          : { pending: 'sent, not delivered', delivered_source_not_indexed: 'source not indexed' }[
              message.status as string
            ];
        expect(await reader.text()).toContain(words);
        for (const end of ['Sent', 'Delivered'])
          expect(await page.getByRole('heading', { name: end, exact: true }).count()).toBe(1);
      }));

    test('what a day cost', () =>
      task(async (_reader, page) => {
        const day = subjects.days.nodes.find(({ isRunning }: any) => !isRunning);
        expect(await titled(fact(page, 'Fees burned'), day.amountBurned).count()).toBe(1);
      }));

    test("what is in a chain's genesis", () =>
      task(async (reader, page) => {
        const chain = subjects.created.nodes.find(
          (each: any) => each.blockchainInfo.genesisData?.config?.chainId,
        );
        await reader.search(chain.txHash, /^Blockchain /);
        // Of an EVM chain that is indexed, its own page leads there.
        const genesis = page.getByRole('link', { name: /^Genesis/ });
        if ((await genesis.count()) > 0) await reader.click(genesis);
        const { config, alloc } = chain.blockchainInfo.genesisData;
        expect(await fact(page, 'EVM chain id').innerText()).toBe(String(config.chainId));
        const accounts = page.getByRole('region', { name: 'Accounts of the genesis' }).locator('tbody tr');
        // The genesis is in a file that is loaded when it is shown.
        await accounts.first().waitFor();
        expect(await accounts.count()).toBe(Math.min(24, Object.keys(alloc).length));
      }));

    test('the newest ten blocks', () =>
      task(async (reader, page) => {
        await reader.section('Blocks');
        const rows = page.getByRole('region', { name: 'Blocks' }).locator('tbody tr');
        for (const [index, { number }] of subjects.p.nodes.entries())
          expect(await rows.nth(index).locator(`a[href$="/p-chain/blocks/${number}"]`).count()).toBe(1);
      }));

    test('an id whole, on a phone, over plain http', () =>
      task(
        async (reader, page) => {
          const { txHash } = subjects.stakes.nodes[0];
          await page.addInitScript('delete Navigator.prototype.clipboard');
          await page.reload();
          await settled(page);
          await reader.search(txHash);
          const heading = page.getByRole('heading', { level: 1 });
          expect(await heading.innerText()).toContain(txHash);
          await reader.click(heading.getByRole('button', { name: `Copy ${txHash}` }));
          await page.getByText('copied', { exact: true }).waitFor();
          expect(
            await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
          ).toBeLessThanOrEqual(0);
        },
        { viewport: { width: 390, height: 800 }, hasTouch: true },
      ));

    test('who holds an asset', () =>
      task(async (reader, page) => {
        await reader.section('Assets');
        const asset = subjects.assets.nodes.slice(0, 24).find(({ holders }: any) => holders.nodes.length > 0);
        await reader.click(page.locator(`a[href$="/assets/${asset.assetId}"]`).first());
        const [largest] = asset.holders.nodes;
        const row = page.getByRole('region', { name: 'Holders' }).locator('tbody tr').first();
        expect(await titled(row, largest.unspent).count()).toBe(1);
      }));
  });
});
