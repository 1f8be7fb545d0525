import { expect, test } from 'vitest';
import { applyBlocks } from '../../src/follow/primary/p-blocks.js';
import { takeChanges } from '../../src/follow/staking/store.js';
import { inWriteTransaction } from '../../src/write/transaction.js';
import { createApp } from '../harness/app.js';
import { hasRecordedNode } from '../harness/recorded-node.js';
import { beginMachine, stakingRecord } from '../harness/staking-replay.js';
import type { SetAt } from '../harness/validator-sets.js';

/** Under this name a node lists the weight of all L1 validators of a subnet that are not active. */
const INACTIVE = 'NodeID-111111111111111111116DBWJs';

interface Shown {
  readonly nodeId: string;
  readonly weight: number;
  readonly isActive: boolean;
}
type Answer = Record<string, { readonly nodes: readonly Shown[] }>;

/** Both lists of each subnet, in one document: its text is the same at each height. */
const documentOf = (subnets: readonly string[]) =>
  `{ ${subnets
    .map(
      (id, index) => `
      stakers${index}: currentValidators(network: fuji, subnetId: "${id}", active: true, first: 100) {
        nodes { nodeId weight isActive } }
      l1${index}: currentL1Validators(network: fuji, subnetId: "${id}", first: 100) {
        nodes { nodeId weight isActive } }`,
    )
    .join('')} }`;

/** The weights of a subnet's validators by node, as a node lists them. */
function weightsIn(answer: Answer, index: number): SetAt['weights'] {
  const weights = new Map<string, bigint>();
  for (const { nodeId, weight, isActive } of [
    ...answer[`stakers${index}`]!.nodes,
    ...answer[`l1${index}`]!.nodes,
  ]) {
    const name = isActive ? nodeId : INACTIVE;
    weights.set(name, (weights.get(name) ?? 0n) + BigInt(weight));
  }
  return Object.fromEntries([...weights].map(([nodeId, weight]) => [nodeId, weight.toString()]));
}

test.runIf(hasRecordedNode)(
  'after each block for which the node listed its validators, the graph lists these with their weights',
  async () => {
    const record = stakingRecord('network-a');
    const machine = beginMachine(record);
    const gateway = await createApp({ MAX_COST: '1000000', MAX_ALIASES: '100' });
    const subnets = [...new Set([...record.sets.values()].flat().map(({ subnetId }) => subnetId))];
    const document = documentOf(subnets);
    let compared = 0;
    /** Writes the state as the follower writes it with each batch, and asks for it. */
    const compareAt = async (height: number) => {
      const wanted = record.sets.get(height);
      if (!wanted) return;
      const write = takeChanges('fuji', machine.state, machine.trouble, []);
      await gateway.storage.session((session) => inWriteTransaction(session, ['fuji'], write));
      const { data, errors } = await gateway.graphql<Answer>(document);
      expect(errors).toBeUndefined();
      for (const { subnetId, weights } of wanted)
        expect(weightsIn(data, subnets.indexOf(subnetId)), `${subnetId} after block ${height}`).toEqual(
          weights,
        );
      compared += wanted.length;
    };
    await compareAt(0);
    for (let at = 1; at < record.items.length;) {
      const isProposal = !record.items[at]!.mayEndBatch;
      // A node at a proposal has not applied anything of it.
      if (isProposal) await compareAt(at);
      const count = isProposal ? 2 : 1;
      applyBlocks(record.items.slice(at, at + count), machine);
      at += count;
      await compareAt(at - 1);
    }
    await gateway.close();
    expect([record.sets.size, compared]).toEqual([241, 627]);
  },
);

test.runIf(!hasRecordedNode)('no recorded network lies in ../shared/node', () => {
  expect(hasRecordedNode).toBe(false);
});
