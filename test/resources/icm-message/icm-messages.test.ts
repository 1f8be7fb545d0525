import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../../harness/app.js';
import { addresses, chainRow, deliveryAt, hashAt, idOf, messageRow, reward } from '../../harness/evm-rows.js';
import { expectList } from '../../harness/list-model.js';
import { argumentsOf, fieldOf, filters, model } from '../../harness/message-list-model.js';
import { blockchainOf, evmIds, importMessages, messageDays, messages } from '../../harness/message-model.js';
import { importRows, importRowsOrReject } from '../../harness/seed.js';
import { countStatements } from '../../harness/statements.js';
import { poolOf } from '../../harness/connections.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
});
afterAll(() => gateway.close());
beforeEach(() =>
  poolOf(gateway.storage).query('TRUNCATE icm_message, icm_chain, message_day, chain CASCADE'),
);

const hold = (...rows: object[]) => importRows(gateway.storage, 'fuji.icm.messages', rows);

describe('a list of ICM messages', () => {
  test('agrees with a naive filter for any filters, page size and direction', async () => {
    await fc.assert(
      fc.asyncProperty(messages, fc.array(filters, { minLength: 4, maxLength: 8 }), async (rows, lists) => {
        await poolOf(gateway.storage).query('TRUNCATE icm_message, icm_chain, message_day CASCADE');
        await importMessages(gateway.storage, rows);
        const [stored, counted] = await messageDays(gateway.storage);
        expect(stored).toEqual(counted);
        for (const each of lists) {
          const expected = model(rows, each);
          await expectList(gateway, { field: fieldOf(each), key: 'messageId', expected, ...each });
          const path = `/v1/icm/messages?pageSize=100&${new URLSearchParams(argumentsOf(each))}`;
          const { body } = await gateway.get(path);
          const found = (body.messages as { messageId: string }[]).map((row) => row.messageId);
          expect(found).toEqual(
            model(rows, { ...each, since: undefined, until: undefined, tx: undefined, status: undefined }),
          );
        }
      }),
      { numRuns: 12 },
    );
  });

  test('shows every message that was there at the start, once, while others are added between pages', async () => {
    await fc.assert(
      fc.asyncProperty(messages, messages, filters, async (rows, added, each) => {
        await poolOf(gateway.storage).query('TRUNCATE icm_message, icm_chain, message_day CASCADE');
        await importMessages(gateway.storage, rows);
        const waiting = added.map((row) => ({ ...row, number: row.number + 1000 }));
        const between = () => importMessages(gateway.storage, waiting.splice(0, 5));
        await expectList(gateway, {
          field: fieldOf(each),
          key: 'messageId',
          expected: model(rows, each),
          ...each,
          between,
        });
        // They come again, and say another time and other chains.
        const corrected = rows.map((row, index) => ({
          ...row,
          source: evmIds[index % 3]!,
          timestamp: row.timestamp + 86_400 * (index % 2),
        }));
        for (const again of [rows, corrected]) {
          await importMessages(gateway.storage, again);
          const [stored, counted] = await messageDays(gateway.storage);
          expect(stored).toEqual(counted);
        }
      }),
      { numRuns: 10 },
    );
  });

  test('finds a chain by an EVM id that only the list of chains knows', async () => {
    const other = { sourceBlockchainId: idOf('elsewhere'), sourceEvmChainId: '0' };
    await hold(messageRow(other));
    await importRows(gateway.storage, 'evm.chains', [chainRow('5555', { blockchainId: idOf('elsewhere') })]);
    const { body } = await gateway.get('/v1/icm/messages?sourceBlockchainId=5555');
    expect(body.messages).toHaveLength(1);
  });

  test('names every wrong parameter at once', async () => {
    const path =
      '/v1/icm/messages?from=0x12&to=nobody&blockchainId=43114&sourceBlockchainId=c-chain&network=devnet&pageSize=0';
    const { status, body } = await gateway.get(path);
    expect(status).toBe(400);
    for (const name of ['from', 'to', 'blockchainId', 'sourceBlockchainId', 'network', 'pageSize'])
      expect(body.message).toContainEqual(expect.stringMatching(new RegExp(`^${name}: `)));
  });

  test('has no status over REST, as the published API has none', async () => {
    const { status } = await gateway.get('/v1/icm/messages?status=pending');
    expect(status).toBe((await gateway.get('/v1/icm/messages?unknown=pending')).status);
  });

  test('refuses a page token of other filters', async () => {
    const rows = [1, 2, 3].map((number) => messageRow({ messageId: hashAt(number).slice(2) }));
    await hold(...rows);
    const first = await gateway.get('/v1/icm/messages?pageSize=1');
    const token = first.body.nextPageToken as string;
    const { status, body } = await gateway.get(`/v1/icm/messages?pageSize=1&network=fuji&pageToken=${token}`);
    expect(status).toBe(400);
    expect(body.message).toEqual([expect.stringMatching(/^pageToken: /)]);
  });
});

describe('an ICM message', () => {
  const delivery = { destinationTransaction: deliveryAt(1_700_000_010), messageExecuted: true };

  test('is found by its id in any case, with 0x or without', async () => {
    const row = messageRow();
    await hold(row);
    const id = row.messageId as string;
    for (const given of [id, `0x${id}`, id.toUpperCase(), `0x${id.toUpperCase()}`]) {
      const { status, body } = await gateway.get(`/v1/icm/messages/${given}`);
      expect(status).toBe(200);
      expect(body).toEqual(row);
    }
  });

  test('that is not stored is a 404 and null, a malformed id a 400', async () => {
    const missing = await gateway.get(`/v1/icm/messages/${hashAt(7)}`);
    expect(missing.status).toBe(404);
    const { data } = await gateway.graphql(`{ icmMessage(messageId: "${hashAt(7)}") { messageId } }`);
    expect(data).toEqual({ icmMessage: null });
    expect((await gateway.get('/v1/icm/messages/0x12')).status).toBe(400);
  });

  test('keeps its reward, price, receipts and both transactions as they were imported', async () => {
    const row = messageRow({
      ...delivery,
      receipts: [{ receivedMessageNonce: String(2n ** 256n - 1n), relayerRewardAddress: addresses[2] }],
      rewardDetails: reward,
    });
    await hold(row);
    expect((await gateway.get(`/v1/icm/messages/${row.messageId as string}`)).body).toEqual(row);
  });

  test('that was delivered stays delivered, whichever row comes last', async () => {
    const pending = messageRow();
    const delivered = messageRow(delivery);
    const unindexed = messageRow({ sourceTransaction: undefined, ...delivery });
    for (const rows of [
      [pending, delivered],
      [delivered, pending],
      [unindexed, pending],
      [pending, unindexed],
    ]) {
      await poolOf(gateway.storage).query('TRUNCATE icm_message');
      for (const row of rows) await hold(row);
      const { body } = await gateway.get(`/v1/icm/messages/${pending.messageId as string}`);
      expect(body).toEqual(delivered);
    }
  });

  test('whose status does not go with its transactions is rejected', async () => {
    const rejected = await importRowsOrReject(gateway.storage, 'fuji.icm.messages', [
      { ...messageRow(), status: 'delivered' },
      { ...messageRow(), status: 'failed' },
      { ...messageRow(), messageId: '12' },
      { ...messageRow(), from: 'nobody' },
    ]);
    const named = rejected.map(({ message }) => message.split(':')[0]);
    expect(named).toEqual(['status', 'status', 'messageId', 'from']);
  });

  test('leads to the chains at both ends, all of a page in one statement, and is found by its global id', async () => {
    const rows = Array.from({ length: 30 }, (_, number) =>
      messageRow({
        messageId: hashAt(number).slice(2),
        sourceBlockchainId: blockchainOf(evmIds[number % 3] as string),
      }),
    );
    await hold(...rows);
    await importRows(gateway.storage, 'evm.chains', [
      chainRow('1001', { blockchainId: blockchainOf('1001') }),
      chainRow('1002'),
    ]);
    type Page = { icmMessages: { nodes: { id: string; sourceChain: unknown; destinationChain: unknown }[] } };
    const { result, statements } = await countStatements(() =>
      gateway.graphql<Page>(
        '{ icmMessages(first: 30) { nodes { id sourceChain { chainId } destinationChain { chainId } } } }',
      ),
    );
    expect(result.errors).toBeUndefined();
    expect(statements).toHaveLength(2);
    const { nodes } = result.data.icmMessages;
    expect(nodes.filter((node) => node.sourceChain)).toHaveLength(10);
    // Stored without a blockchain id: then its EVM id names it.
    expect(nodes[0]?.destinationChain).toEqual({ chainId: '1002' });
    const again = await gateway.graphql(
      `{ node(id: "${nodes[0]?.id}") { id ... on IcmMessage { messageId } } }`,
    );
    expect(again.data).toEqual({ node: { id: nodes[0]?.id, messageId: hashAt(29).slice(2) } });
  });
});
