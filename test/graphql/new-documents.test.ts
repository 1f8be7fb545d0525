import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({ REQUEST_TIMEOUT_MS: '60000' });
});
afterAll(() => gateway.close());

/** A document that takes milliseconds to check, and reads nothing. */
const long = (note: string) =>
  `{ ${Array.from({ length: 28 }, (_none, index) => `a${index}: serviceConfig { maxCost maxDepth fieldLimits { field calls } version maxTokens }`).join(' ')} } #${note}`;
/** Lists of some rows deep, under a name that is new: sent twice, it is planned. */
const planned = (note: string) =>
  `{ a${note}: utxos(network: fuji, blockchainId: "p-chain", first: 4) { nodes { utxoId creatingTransaction { txHash emittedUtxos { nodes { utxoId } } } } } }`;

function ask(remoteAddress: string, query: string) {
  return gateway.app.inject({
    method: 'POST',
    url: '/graphql',
    remoteAddress,
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({ query }),
  });
}

const known = '{ chains(first: 1) { nodes { chainId } } }';

/**
 * Has one caller send documents at once, and another ask for something known again and again until all are answered.
 *
 * @returns how often the other was answered meanwhile
 */
async function answeredBeside(documents: readonly string[], round: number): Promise<number> {
  for (let times = 0; times < 3; times += 1) await ask('192.0.2.1', known);
  let isOver = false;
  const burst = Promise.all(documents.map((query) => ask(`198.51.100.${round}`, query))).finally(
    () => (isOver = true),
  );
  let answered = 0;
  while (!isOver) {
    const reply = await ask('192.0.2.1', known);
    expect(reply.statusCode).toBe(200);
    answered += 1;
  }
  for (const { statusCode, body } of await burst)
    expect([statusCode, body]).toEqual([200, expect.not.stringContaining('"errors"')]);
  return answered;
}

describe('while another caller asks for what is known, it is answered at least as often as', () => {
  test.each([
    ['new documents are read', Array.from({ length: 24 }, (_none, index) => long(`burst ${index}`)), 1],
    [
      'new lists are read and planned',
      Array.from({ length: 24 }, (_none, index) => planned(String(index >> 1))),
      2,
    ],
  ])('%s', async (_kind, documents, round) => {
    expect(await answeredBeside(documents, round)).toBeGreaterThan(documents.length);
  });
});

test('a caller who is alone waits for nobody, in whatever order its documents come', async () => {
  const documents = Array.from({ length: 10 }, (_none, index) => long(`alone ${index}`));
  const replies = await Promise.all(documents.map((query) => ask('192.0.2.3', query)));
  expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
});
