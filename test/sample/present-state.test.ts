import { afterAll, beforeAll, expect, test } from 'vitest';
import { ZERO_ID } from '../../src/avalanche/codec/ids.js';
import { compareOwnFacts } from '../../src/verify/own-facts.js';
import { createApp, type TestApp } from '../harness/app.js';
import { readSample } from '../harness/sample.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({ MAX_COST: '1000000' }, { sample: true });
});
afterAll(() => gateway.close());

async function nodesOf(list: string, fields: string): Promise<Record<string, unknown>[]> {
  const { data, errors } = await gateway.graphql<{ list: { nodes: Record<string, unknown>[] } }>(
    `{ list: ${list} { nodes { ${fields} } } }`,
  );
  expect(errors).toBeUndefined();
  return data.list.nodes;
}

test('the stakers of the sample are those of its transactions whose stake has not ended', async () => {
  const running = readSample()
    .transactionsOf('p')
    .filter(({ txType, rewardTxHash }) => /^Add.*(?:Validator|Delegator)Tx$/.test(txType) && !rewardTxHash)
    .filter(({ subnetId }) => subnetId === ZERO_ID);
  const stakeOf = ({ amountStaked }: (typeof running)[number]) =>
    (amountStaked ?? []).reduce((sum, { amount }) => sum + Number(amount), 0);
  const validators = running.filter(({ txType }) => txType.includes('Validator'));
  expect(validators.length).toBeGreaterThan(5);
  const expected = validators.map((one) => {
    const delegations = running.filter(
      ({ txType, nodeId }) => txType.includes('Delegator') && nodeId === one.nodeId,
    );
    const delegated = delegations.reduce((sum, each) => sum + stakeOf(each), 0);
    return {
      txHash: one.txHash,
      nodeId: one.nodeId,
      isActive: true,
      weight: stakeOf(one) + delegated,
      ownWeight: stakeOf(one),
      delegatorCount: delegations.length,
      delegationFeePercent: one.delegationFeePercent,
      endTimestamp: one.endTimestamp,
      potentialReward: one.estimatedReward,
    };
  });
  const [first] = expected;
  const nodes = await nodesOf(
    'currentValidators(network: fuji, first: 100)',
    Object.keys(first ?? {}).join(' '),
  );
  const byHash = (rows: object[]) =>
    (rows as { txHash: string }[]).toSorted((a, b) => (a.txHash < b.txHash ? -1 : 1));
  expect(byHash(nodes)).toEqual(byHash(expected));
  expect(nodes).toEqual(nodes.toSorted((a, b) => Number(b['weight']) - Number(a['weight'])));
});

test('what a followed network knows of stakers and L1 validators is known of the sample', async () => {
  const subnets = await nodesOf(
    'subnets(network: fuji, first: 100)',
    'activeValidators totals { weight } validators { nodes { isActive } }',
  );
  expect(subnets.filter((each) => Number(each['activeValidators']) > 0).length).toBeGreaterThan(3);
  expect(JSON.stringify(subnets)).not.toContain('null');
  const validators = await nodesOf('validators(network: fuji, first: 100)', 'isActive weight');
  expect(JSON.stringify(validators)).not.toContain('null');
  const l1 = await nodesOf('l1Validators(network: fuji, first: 100)', 'isActive weight balance');
  expect(JSON.stringify(l1)).not.toContain('null');
  const removed = l1.filter(({ weight }) => weight === 0);
  expect(removed.length).toBeGreaterThan(0);
  expect(removed.filter(({ isActive }) => isActive)).toEqual([]);
  const present = await nodesOf(
    'currentL1Validators(network: fuji, first: 100)',
    'isActive balance runsDryAt',
  );
  expect(present.length).toBe(l1.length - removed.length);
  for (const { isActive, balance, runsDryAt } of present)
    expect([Number(balance) > 0, runsDryAt !== null]).toEqual([isActive, isActive]);
});

test('the facts of the sample hold', async () => {
  const found = (await compareOwnFacts(gateway.storage)).flatMap(({ name, findings }) =>
    findings.map((each) => [name, each]),
  );
  expect(found).toEqual([]);
});
