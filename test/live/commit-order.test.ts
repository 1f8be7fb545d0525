import { afterAll, beforeAll, expect, test } from 'vitest';
import { utxoRows } from '../../src/resources/utxo/import.js';
import { firstOfNetwork, writeFeed } from '../../src/write/feed.js';
import { inWriteTransaction, writeSets, type RowSet } from '../../src/write/transaction.js';
import { createApp, type TestApp } from '../harness/app.js';
import { outputId, utxoRow } from '../harness/ledger-rows.js';
import { listen } from '../harness/listen.js';
import { openStream, type Stream } from '../harness/stream.js';

let gateway: TestApp;
let url: string;
beforeAll(async () => {
  gateway = await createApp();
  url = await listen(gateway.app);
});
afterAll(() => gateway.close());

type Network = 'mainnet' | 'fuji';

function setOf(name: string, network: Network): RowSet {
  const scope = { network, chain: 'p' } as const;
  const rows = [utxoRows.read(utxoRow(name, {}, network), scope)];
  return { kind: utxoRows, scope, rows } as unknown as RowSet;
}

/** Something that a transaction waits for. */
function barrier() {
  let open: () => void = () => undefined;
  let reached: () => void = () => undefined;
  const isOpen = new Promise<void>((resolve) => (open = resolve));
  const isReached = new Promise<void>((resolve) => (reached = resolve));
  return {
    open,
    isReached,
    async wait() {
      reached();
      await isOpen;
    },
  };
}

async function subscribeBoth(): Promise<{ each: Stream[]; ids: () => unknown[][] }> {
  const networks: Network[] = ['mainnet', 'fuji'];
  const each = await Promise.all(
    networks.map((network) =>
      openStream(
        url,
        `subscription { utxos(network: ${network}, blockchainId: "p-chain") { cursor node { utxoId } } }`,
      ),
    ),
  );
  return { each, ids: () => each.map(({ events }) => events.map(({ node }) => node['utxoId'])) };
}

const entryOf = ({ events }: Stream) =>
  Number(
    Buffer.from(events[0]?.cursor ?? '', 'base64url')
      .toString()
      .split('.')[0],
  );

test('a transaction that began first and commits last is not lost behind the other', async () => {
  const { each, ids } = await subscribeBoth();
  const stop = barrier();
  const slow = gateway.storage.session((session) =>
    writeSets(session, [setOf('slow', 'mainnet')], () => stop.wait()),
  );
  await stop.isReached;
  await gateway.storage.session((session) => writeSets(session, [setOf('fast', 'fuji')]));
  await each[1]?.have(1);
  expect(ids()).toEqual([[], [outputId('fast')]]);
  stop.open();
  await slow;
  await each[0]?.have(1);
  expect(ids()).toEqual([[outputId('slow')], [outputId('fast')]]);
  expect(entryOf(each[0]!)).toBeGreaterThan(entryOf(each[1]!));
  for (const stream of each) stream.close();
});

test('while a transaction that has taken its numbers does not commit, no later one is read before it', async () => {
  const { each, ids } = await subscribeBoth();
  const stop = barrier();
  const first = gateway.storage.session((session) =>
    inWriteTransaction(session, ['mainnet'], async (batch) => {
      const { first = [] } = await utxoRows.write(batch, { network: 'mainnet', chain: 'p' }, [
        utxoRows.read(utxoRow('numbered first'), { network: 'mainnet', chain: 'p' }),
      ]);
      await writeFeed(batch, first, false);
      await stop.wait();
    }),
  );
  await stop.isReached;
  let hasCommitted = false;
  const second = gateway.storage
    .session((session) => writeSets(session, [setOf('numbered second', 'fuji')]))
    .then(() => (hasCommitted = true));
  // A third one adds nothing to the feed: it does not wait.
  await gateway.storage.session((session) => writeSets(session, []));
  expect([hasCommitted, ids()]).toEqual([false, [[], []]]);
  stop.open();
  await Promise.all([first, second]);
  await Promise.all(each.map((stream) => stream.have(1)));
  expect(ids()).toEqual([[outputId('numbered first')], [outputId('numbered second')]]);
  expect(entryOf(each[1]!)).toBeGreaterThan(entryOf(each[0]!));
  for (const stream of each) stream.close();
});

test('a transaction that fails leaves nothing, and the numbers that it took are no hole', async () => {
  const { each, ids } = await subscribeBoth();
  const failing = gateway.storage.session((session) =>
    inWriteTransaction(session, ['mainnet'], async (batch) => {
      await writeFeed(batch, [firstOfNetwork('utxo', 'mainnet', [outputId('never')])], false);
      throw new Error('gone');
    }),
  );
  await expect(failing).rejects.toThrow('gone');
  await gateway.storage.session((session) => writeSets(session, [setOf('after a failure', 'mainnet')]));
  await each[0]?.have(1);
  expect(ids()).toEqual([[outputId('after a failure')], []]);
  for (const stream of each) stream.close();
});
