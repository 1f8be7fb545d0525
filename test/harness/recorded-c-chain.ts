import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import type { StreamName } from '../../src/config/follow-settings.js';
import { startAlteredNode } from './altered-node.js';
import { followOnce, startFollowing } from './followed.js';
import { createImportDatabase, type ImportDatabase } from './ingest.js';
import { recordedFile, startRecordedNode, type RecordedNetwork, type RecordedNode } from './recorded-node.js';
import type { Asked, Said, ScriptedNode } from './scripted-node.js';

/** Changes the answer to a call; null leaves it. */
export type Alteration = (asked: Asked, honest: Record<string, unknown>) => Said | null;

/** The EVM chain ids of the recorded C-chains. */
export const chainIdOf: Readonly<Record<RecordedNetwork, string>> = {
  'network-a': '43337',
  'network-c': '77123',
};
export const CHAIN = chainIdOf['network-a'];
/** Where its head stands, unless a suite says another height. */
export const HEAD = 120;

/** What a node says that has no such method. */
export const lacks = (method: string): Said => ({
  error: { code: -32601, message: `the method ${method} does not exist/is not available` },
});

/** One stream of a recorded C-chain, followed into an empty database in each test of a suite. */
export class RecordedStream<Row> {
  node!: RecordedNode;
  /** Of the test that runs. */
  database!: ImportDatabase;
  /** What an honest node makes of it. */
  whole: readonly Row[] = [];
  private readonly genesis: string;
  private readonly only: readonly StreamName[];
  private readonly altered: ScriptedNode[] = [];

  /** Call it within `describe`. @param dumpOf the rows of the stream, without row ids, in a fixed order */
  constructor(
    stream: StreamName,
    private readonly dumpOf: (storage: ImportDatabase['storage']) => Promise<Row[]>,
    /** Where the head stands, unless a test moves it: balances were recorded at 50, 300 and 550 alone. */
    private readonly head = HEAD,
    network: RecordedNetwork = 'network-a',
  ) {
    this.genesis = recordedFile(network, 'genesis.json');
    this.only = [stream];
    beforeAll(async () => {
      this.node = await startRecordedNode(network, { heads: { C: this.head } });
      this.database = await createImportDatabase();
      await this.follow();
      this.whole = await this.dump();
      await this.database.close();
    });
    beforeEach(async () => {
      this.database = await createImportDatabase();
    });
    afterEach(async () => {
      for (const each of this.altered.splice(0)) await each.close();
      await this.database.close();
    });
    afterAll(async () => {
      await this.node.close();
      adoptIdentities({});
    });
  }

  dump(): Promise<Row[]> {
    return this.dumpOf(this.database.storage);
  }

  /** Follows nodes, the honest one if none is named, to their head. */
  async follow(...urls: string[]): Promise<void> {
    const { genesis, only, node } = this;
    const given = { urls: urls.length > 0 ? urls : [node.url], genesis, only };
    expect(await followOnce(this.database.storage, given)).toEqual([]);
  }

  /** Follows the first block alone: a database with rows takes no network of its own. */
  async begin(): Promise<void> {
    await this.node.moveHeads({ C: 1 });
    await this.follow();
    await this.node.moveHeads({ C: this.head });
  }

  /** The address of a node that says something else. */
  async alter(change: Alteration): Promise<string> {
    const other = await startAlteredNode(this.node.url, change);
    this.altered.push(other);
    return other.url;
  }

  /** The streams that are followed of a node from which nothing is asked by name. */
  async offeredBy(url: string): Promise<string[]> {
    const following = await startFollowing(this.database.storage, { urls: [url], genesis: this.genesis });
    const names = following.views.map(({ name }) => name);
    await following.stop();
    return names;
  }

  /** Follows until the pipeline says that it waits; gives its note. */
  async noteOf(url: string): Promise<string> {
    const { genesis, only } = this;
    const given = { urls: [url], genesis, only, node: { patienceMs: 50 } };
    const following = await startFollowing(this.database.storage, given);
    const view = () => following.views[0];
    // The database may not have noticed yet that the follower before it has ended.
    while (typeof view()?.note !== 'string' || view()?.state === 'standby') await sleep(10);
    const note = view()!.note!;
    await following.stop();
    return note;
  }
}
