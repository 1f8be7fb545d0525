import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp, type TestApp } from '../../harness/app.js';
import { readSample } from '../../harness/sample.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({}, { sample: true });
});
afterAll(() => gateway.close());

test('the rewards of every validator of the sample are those of its stakes, to the unit', async () => {
  const rows = readSample().transactionsOf('p');
  const earned = new Map<string, bigint>();
  for (const { nodeId, txHash } of rows.filter((row) => /^Add.*(Validator|Delegator)Tx$/.test(row.txType)))
    for (const reward of rows.filter(({ stakingTxHash }) => stakingTxHash === txHash))
      for (const { rewardType, amount } of reward.emittedUtxos)
        if (rewardType) earned.set(nodeId ?? '', (earned.get(nodeId ?? '') ?? 0n) + BigInt(amount));
  expect(earned.size).toBeGreaterThan(10);
  interface Reward {
    emittedUtxos: { nodes: { rewardType: string | null; amount: string }[] };
  }
  for (const [nodeId, sum] of earned) {
    const { data } = await gateway.graphql<{ validator: { rewards: { nodes: Reward[] } } }>(
      `{ validator(network: fuji, nodeId: "${nodeId}") { rewards(first: 100) { nodes {
        emittedUtxos(first: 10) { nodes { rewardType amount } } } } } }`,
    );
    const outputs = data.validator.rewards.nodes.flatMap(({ emittedUtxos }) => emittedUtxos.nodes);
    const found = outputs.filter(({ rewardType }) => rewardType).map(({ amount }) => BigInt(amount));
    expect(found.reduce((a, b) => a + b, 0n)).toBe(sum);
  }
});
