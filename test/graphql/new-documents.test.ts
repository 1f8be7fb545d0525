import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NewDocuments, type Requests } from '../../src/graphql/new-documents.js';
import { Abandon } from '../../src/storage/abandon.js';
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
 * Has one caller send documents at once, and another ask for something known again and again until all are
 * answered.
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

describe('after a document was read, the next one is read', () => {
  type TurnContext = Parameters<NewDocuments['turn']>[0];
  const turn = (identity: string, abandon = new Abandon()) =>
    ({ charge: { identity }, time: { left: 60_000 }, abandon }) as unknown as TurnContext;
  const held = (milliseconds: number) => {
    const end = performance.now() + milliseconds;
    while (performance.now() < end);
  };

  /**
   * Reads two documents of one caller, and says what came first: the second one, or the end of a part of the
   * pause.
   */
  async function next({
    isCrowded = false,
    running = 0,
    queued = 0,
    ofNew = 0,
    answered = 0,
  }): Promise<string> {
    // What waits to start is in flight, and does not run.
    const other = { identity: 'other', running, inFlight: running + queued };
    const requests: Requests = { isCrowded: () => isCrowded, running: () => [other] };
    const turns = new NewDocuments(requests);
    const others = Array.from({ length: ofNew }, () => turn('other'));
    for (const one of others) await turns.turn(one);
    for (const one of others.slice(0, answered)) turns.ended(one);
    await turns.turn(turn('one'));
    held(60);
    const second = turns.turn(turn('one')).then(() => 'at once');
    return Promise.race([second, sleep(60).then(() => 'after a pause')]);
  }

  test.each([
    ['after a pause', 'a request of another caller runs', { running: 1 }],
    ['at once', 'those of other callers wait to start', { queued: 9 }],
    ['at once', 'those of other callers are of new documents', { running: 2, ofNew: 2 }],
    ['after a pause', 'one of those is of a known document', { running: 3, ofNew: 2 }],
    ['after a pause', 'one of those was answered, and another runs', { running: 2, ofNew: 2, answered: 1 }],
    ['at once', 'most places in flight are taken', { running: 1, isCrowded: true }],
  ])('%s while %s', async (when, _what, others) => {
    expect(await next(others)).toBe(when);
  });

  test('and that of a client that has gone is not read', async () => {
    const turns = new NewDocuments({ isCrowded: () => true, running: () => [] });
    const gone = new Abandon();
    const first = turns.turn(turn('one'));
    const second = turns.turn(turn('one', gone));
    gone.abort(new Error('the client has gone'));
    await first;
    await expect(second).rejects.toThrow('the client has gone');
  });
});
