import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { GraphQLReply, TestApp } from './app.js';
import { addressOf, idOf, outputId, utxoRow } from './ledger-rows.js';
import { numbers } from './live-subscriber.js';
import { importRows } from './seed.js';
import type { StreamEvent } from './stream.js';

// What every subscriber is to receive: what the lists say was written, each once, and in order.

/** The subscription of every subscriber. */
export const QUERY = `subscription ($after: String) {
  utxos(network: mainnet, addresses: ["${addressOf('anna')}"], after: $after) { cursor change node { utxoId } }
}`;

const COMMITS = 40;
const WRITERS = [0, 1, 2];

/** Stores one output: before all others, or after them. */
export const storeMarker = ({ storage }: TestApp, name: 'begin' | 'end') =>
  importRows(storage, 'mainnet.p-chain.utxos', [utxoRow(name)]);

/** Whether an event is that of a marker. */
export const isMarker = (name: 'begin' | 'end', { node }: StreamEvent) => node['utxoId'] === outputId(name);

/** Several writers store outputs, spend them, and store spent ones, each several times. */
export const writeOutputs = (gateway: TestApp) =>
  Promise.all(WRITERS.map((writer) => write(gateway, writer)));

async function write({ storage }: TestApp, writer: number): Promise<void> {
  const next = numbers(writer + 7);
  for (let commit = 0; commit < COMMITS; commit += 1) {
    const rows = Array.from({ length: 1 + Math.floor(next() * 5) }, () => {
      const name = `output ${Math.floor(next() * 60)}`;
      return utxoRow(name, next() < 0.4 ? { consumingTxHash: idOf(`spender of ${name}`) } : {});
    });
    await importRows(storage, 'mainnet.p-chain.utxos', rows);
    await sleep(next() * 20);
  }
}

interface Outputs {
  utxos: {
    nodes: { utxoId: string; consumingTxHash: string | null }[];
    pageInfo: { hasNextPage: boolean; endCursor: string };
  };
}

/** What the lists say was written, as events in any order. */
export async function writtenEvents(gateway: TestApp): Promise<string[]> {
  const stored = new Map<string, string | null>();
  for (let after: string | null = null; ;) {
    const { data }: GraphQLReply<Outputs> = await gateway.graphql<Outputs>(
      `query ($after: String) { utxos(network: mainnet, addresses: ["${addressOf('anna')}"], includeSpent: true, first: 50, after: $after) {
        nodes { utxoId consumingTxHash } pageInfo { hasNextPage endCursor } } }`,
      { after },
    );
    for (const { utxoId, consumingTxHash } of data.utxos.nodes) stored.set(utxoId, consumingTxHash);
    if (!data.utxos.pageInfo.hasNextPage) break;
    after = data.utxos.pageInfo.endCursor;
  }
  const expected = [...stored].flatMap(([id, spender]) => [
    `${id} created`,
    ...(spender === null ? [] : [`${id} spent`]),
  ]);
  expect(expected.length).toBeGreaterThan(60);
  return expected;
}

const positionOf = ({ cursor }: StreamEvent) =>
  Buffer.from(cursor, 'base64url').toString().split('.').slice(0, 2).map(Number) as [number, number];

/** What a subscriber received, some of it again, is what was written. */
export function expectAll(received: readonly StreamEvent[], written: readonly string[]): void {
  const events = [...new Map(received.map((event) => [event.cursor, event])).values()];
  expect(events.map(({ node, change }) => `${String(node['utxoId'])} ${change}`).sort()).toEqual(
    written.toSorted(),
  );
  const positions = events.map(positionOf);
  expect(positions).toEqual(positions.toSorted(([a, i], [b, j]) => a - b || i - j));
}
