import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import { createApp, type TestApp } from '../harness/app.js';
import { networkFilling } from '../harness/followed.js';
import { factsOfNetwork, type Facts } from '../harness/question-facts.js';
import { questions } from '../harness/questions.js';
import { recipes } from '../harness/recipes.js';
import { hasRecordedNode } from '../harness/recorded-node.js';

describe.runIf(hasRecordedNode)('the questions of docs/recipes.md on a followed network', () => {
  let gateway: TestApp;
  let facts: Facts;

  beforeAll(async () => {
    gateway = await createApp({}, { filling: networkFilling('network-a') });
    facts = factsOfNetwork('network-a');
  });

  afterAll(async () => {
    await gateway.close();
    adoptIdentities({});
  });

  test.each(recipes.map((recipe) => [recipe.question, recipe] as const))(
    '%s: what the recorded node said',
    async (_question, { name, document, variables }) => {
      const { variables: own, check } = questions[name]!;
      const given = { ...variables, ...own(facts) };
      const { data, errors } = await gateway.graphql(document, given);
      expect(errors).toBeUndefined();
      check(data, facts, given, Math.floor(gateway.clock.now / 1000));
    },
  );
});

test.runIf(!hasRecordedNode)('no recorded network lies in ../shared/node', () => {
  expect(hasRecordedNode).toBe(false);
});
