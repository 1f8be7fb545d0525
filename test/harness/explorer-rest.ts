import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import type { TestApp } from './app.js';

/** As a page writes a count, an amount on hover, and a time. */
const count = (value: unknown) => Number(value).toLocaleString('en');
// A title has a line of its own: 0 is no part of 10.
const amount = (value: string | number) => `\n${value} smallest units`;
const amounts = (assets: { amount: string }[] = []) => assets.map((asset) => amount(asset.amount));
const time = (seconds: unknown) =>
  Number(seconds) > 0 ? new Date(Number(seconds) * 1000).toISOString() : '';

interface Compared {
  page: RegExp;
  /** Of the parts of the address of the page: the REST API's replies about the same. */
  rest: (...parts: string[]) => string[];
  /** What the page has to have of them; what is empty is left out. */
  values: (...bodies: any[]) => unknown[];
}

const base = '/v1/networks/fuji';
const chains = ['p-chain', 'x-chain', 'c-chain'];
const PRIMARY = '11111111111111111111111111111111LpoYY';

const compared: Readonly<Record<string, Compared>> = {
  newest: {
    page: /^\/explore\/fuji$/,
    rest: () => chains.map((chain) => `${base}/blockchains/${chain}/blocks?pageSize=1`),
    values: (...bodies) =>
      bodies.flatMap(({ blocks: [block] }) => [count(block.blockNumber), time(block.blockTimestamp)]),
  },
  block: {
    page: /\/(.-chain)\/blocks\/(\d+)$/,
    rest: (chain, number) => [`${base}/blockchains/${chain}/blocks/${number}`],
    values: (block) => [
      count(block.blockNumber),
      block.blockHash,
      block.parentHash,
      count(block.txCount),
      time(block.blockTimestamp),
      block.proposerDetails?.proposerNodeId,
      ...block.transactions.slice(0, 24),
    ],
  },
  transaction: {
    page: /\/(.-chain)\/transactions\/(\w+)$/,
    rest: (chain, hash) => [`${base}/blockchains/${chain}/transactions/${hash}`],
    values: (transaction) => [
      transaction.txHash,
      transaction.nodeId,
      time(transaction.blockTimestamp ?? transaction.timestamp),
      ...['amountBurned', 'value', 'amountStaked'].flatMap((member) => amounts(transaction[member])),
    ],
  },
  address: {
    // A network of its own has a prefix of its own.
    page: /\/fuji\/addresses\/(\w+)$/,
    rest: (address) =>
      chains.map((chain) => `${base}/blockchains/${chain}/transactions?addresses=${address}&pageSize=1`),
    // The newest of all chains: another one may be on the next page.
    values: (...bodies) =>
      bodies
        .flatMap(({ transactions }) => transactions)
        .map((each) => ({ hash: each.txHash, at: Number(each.blockTimestamp ?? each.timestamp) }))
        .sort((one, other) => other.at - one.at)
        .slice(0, 1)
        .map(({ hash }) => hash),
  },
  validator: {
    page: /\/validators\/(NodeID-\w+)$/,
    rest: (node) => [`${base}/validators/${node}?validationStatus=active`],
    values: ({ validators }) =>
      validators
        .filter(({ subnetId }: any) => subnetId === PRIMARY)
        .flatMap((stake: any) => [
          stake.txHash,
          `${stake.delegationFee} %`,
          count(stake.delegatorCount),
          ...[stake.amountStaked, stake.amountDelegated, stake.delegationCapacity].map(amount),
          ...[stake.startTimestamp, stake.endTimestamp].map(time),
        ]),
  },
  'L1 validator': {
    page: /\/l1-validators\/(\w+)$/,
    rest: (id) => [`${base}/l1Validators?l1ValidationId=${id}&includeInactiveL1Validators=true`],
    values: ({ validators }) =>
      validators.flatMap((validator: any) => [
        validator.nodeId,
        validator.subnetId,
        validator.validationIdHex,
        validator.blsCredentials.publicKey,
        count(validator.weight),
        amount(validator.remainingBalance),
        time(validator.creationTimestamp),
        ...validator.remainingBalanceOwner.addresses,
      ]),
  },
  subnet: {
    page: /\/subnets\/(\w+)$/,
    rest: (subnet) => [`${base}/subnets/${subnet}`],
    values: (subnet) => [
      time(subnet.createBlockTimestamp),
      ...subnet.ownerAddresses,
      subnet.l1ValidatorManagerDetails?.contractAddress,
      ...subnet.blockchains.flatMap((chain: any) => [chain.blockchainName, chain.evmChainId, chain.vmId]),
    ],
  },
  blockchain: {
    page: /\/blockchains\/(\w+)$/,
    rest: (id) => [`${base}/blockchains/${id}`],
    values: (chain) => [chain.blockchainName, chain.vmId, chain.subnetId, time(chain.createBlockTimestamp)],
  },
  asset: {
    page: /\/assets\/(\w+)$/,
    rest: (id) => [`${base}/blockchains/x-chain/assets/${id}`],
    values: (asset) => [asset.name, asset.symbol, asset.denomination, time(asset.createdAtTimestamp)],
  },
};

/** All that a page says: also on hover, and its times. */
const said = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    const main = document.querySelector('main');
    const titles = [...main.querySelectorAll('[title]')].map(({ title }) => title);
    const times = [...main.querySelectorAll('time')].map(({ dateTime }) => dateTime);
    return [main.innerText.replaceAll(/\\s+/g, ' '), ...titles, ...times].join('\\n');
  })()`);

/**
 * Compares a page with the replies of the REST API about the same.
 *
 * @returns what kind of page it is, and how many values were compared; undefined if the REST API has nothing
 */
export async function equalsRest(
  page: Page,
  gateway: TestApp,
): Promise<{ kind: string; count: number } | undefined> {
  const { pathname, search } = new URL(page.url());
  const [kind, entry] = Object.entries(compared).find(([, each]) => each.page.test(pathname)) ?? [];
  if (!kind || !entry || search) return undefined;
  const bodies: unknown[] = [];
  for (const path of entry.rest(...(entry.page.exec(pathname) ?? []).slice(1))) {
    const { status, body } = await gateway.get(path);
    expect(status, path).toBe(200);
    bodies.push(body);
  }
  const text = await said(page);
  const values = entry
    .values(...bodies)
    .filter((value) => value !== undefined && value !== null && value !== '');
  for (const value of values) expect(text, pathname).toContain(String(value));
  return { kind, count: values.length };
}

/** The kinds of pages of which the REST API says something. */
export const comparedKinds = Object.keys(compared);
