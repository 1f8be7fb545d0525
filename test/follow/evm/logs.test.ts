import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { adoptIdentities } from '../../../src/avalanche/identity.js';
import type { StreamName } from '../../../src/config/follow-settings.js';
import { startAlteredNode } from '../../harness/altered-node.js';
import { followOnce, startFollowing } from '../../harness/followed.js';
import { importRows } from '../../harness/import-rows.js';
import { createImportPlace, type ImportPlace } from '../../harness/ingest.js';
import {
  hasRecordedNode,
  recordedFile,
  startRecordedNode,
  type RecordedNode,
} from '../../harness/recorded-node.js';
import type { Asked, Said, ScriptedNode } from '../../harness/scripted-node.js';

const genesis = recordedFile('network-a', 'genesis.json');
const CHAIN = '43337';
const HEAD = 120;
const only: StreamName[] = ['logs'];
type Receipt = Record<string, unknown> & { logs: Record<string, unknown>[] };

describe.runIf(hasRecordedNode)('logs of a recorded C-chain', () => {
  let node: RecordedNode;
  let whole: string[];
  let place: ImportPlace;
  const altered: ScriptedNode[] = [];

  beforeAll(async () => {
    node = await startRecordedNode('network-a', { heads: { C: HEAD } });
    place = await createImportPlace();
    expect(await followOnce(place.storage, { urls: [node.url], genesis, only })).toEqual([]);
    whole = await dump();
    expect(whole.length).toBeGreaterThan(20);
    await place.close();
  });

  afterEach(async () => {
    for (const each of altered.splice(0)) await each.close();
    await place.close();
  });

  afterAll(async () => {
    await node.close();
    adoptIdentities({});
  });

  /** All tokens, without row ids. */
  async function dump(): Promise<string[]> {
    const rows = await place.storage.prisma.$queryRaw<{ row: string }[]>`
      SELECT concat_ws(' ', encode(address, 'hex'), token_id, coalesce(encode(owner, 'hex'), '-'), last_transfer_block,
        last_transfer_timestamp, encode(last_transfer_tx_hash, 'hex')) AS row FROM nft_token ORDER BY address, token_id`;
    return rows.map(({ row }) => row);
  }

  async function alter(change: (asked: Asked, honest: Record<string, unknown>) => Said | null) {
    const other = await startAlteredNode(node.url, change);
    altered.push(other);
    return other.url;
  }

  /** Changes the receipts of blocks that have logs. */
  const receipts =
    (change: (all: Receipt[]) => unknown[]) =>
    ({ method }: Asked, { result }: Record<string, unknown>): Said | null => {
      const all = (result ?? []) as Receipt[];
      const changes = method === 'eth_getBlockReceipts' && all.some(({ logs }) => logs.length > 0);
      return changes ? { result: change(all) } : null;
    };

  /** Follows until the pipeline says that it waits; gives its note. */
  async function noteOf(url: string): Promise<string> {
    const patience = { patienceMs: 50 };
    const following = await startFollowing(place.storage, { urls: [url], genesis, only, node: patience });
    while (following.views[0]?.note === null || following.views[0]?.note === undefined) await sleep(10);
    const note = following.views[0].note;
    await following.stop();
    return note;
  }

  test.each<[string, RegExp, (asked: Asked, honest: Record<string, unknown>) => Said | null]>([
    ['leaves out all receipts', /0 receipts were given for its \d+ transactions/, receipts(() => [])],
    [
      'leaves out logs',
      /their root is 0x\w{64}, and its header says 0x/,
      receipts((all) => all.map((each) => ({ ...each, logs: [] }))),
    ],
    [
      'changes the owner in a log',
      /their root is/,
      receipts((all) => JSON.parse(JSON.stringify(all).replaceAll(/(0x0{24})[1-9a-f]/g, '$17')) as unknown[]),
    ],
    [
      'gives receipts of another transaction',
      /the receipt of 0x\w+ is that of 0x/,
      receipts((all) => all.map((each) => ({ ...each, transactionHash: `0x${'1'.repeat(64)}` }))),
    ],
    [
      'gives a log without data',
      /cannot be read: data of a receipt is not whole bytes/,
      receipts((all) =>
        all.map((each) => ({ ...each, logs: each.logs.map((log) => ({ ...log, data: null })) })),
      ),
    ],
    [
      'empties the filter of a header',
      /the hash of block \d+ is not that of its header/,
      ({ method }, { result }) =>
        method === 'eth_getBlockByNumber'
          ? { result: { ...(result as object), logsBloom: `0x${'0'.repeat(512)}` } }
          : null,
    ],
    [
      'does not offer receipts',
      /eth_getBlockReceipts: it does not offer this method/,
      ({ method }) =>
        method === 'eth_getBlockReceipts'
          ? { error: { code: -32601, message: `the method ${method} does not exist/is not available` } }
          : null,
    ],
  ])(
    'a node that %s: it waits and says why, nothing wrong is stored, and another node fills it',
    async (_does, note, change) => {
      place = await createImportPlace();
      const url = await alter(change);
      expect(await noteOf(url)).toMatch(note);
      expect(await followOnce(place.storage, { urls: [url, node.url], genesis, only })).toEqual([]);
      expect(await dump()).toEqual(whole);
    },
  );

  test('a file with older and newer transfers, before and after: the newest transfer counts', async () => {
    place = await createImportPlace();
    const [first, second] = whole.map((row) => row.split(' '));
    const rowOf = ([address, tokenId]: string[] = [], block: number) => ({
      ...{ evmChainId: CHAIN, address: `0x${address}`, tokenId, owner: `0x${'7'.repeat(40)}` },
      ...{ lastTransferBlock: block, lastTransferTxHash: `0x${'7'.repeat(64)}` },
    });
    const rows = [rowOf(first, 1), rowOf(second, 9_000)];
    // A database with rows takes no network of its own.
    await node.moveHeads({ C: 1 });
    expect(await followOnce(place.storage, { urls: [node.url], genesis, only })).toEqual([]);
    await node.moveHeads({ C: HEAD });
    await importRows(place.storage, 'evm.nft-tokens.ndjson', rows);
    expect(await followOnce(place.storage, { urls: [node.url], genesis, only })).toEqual([]);
    const [afterFirst, afterSecond, ...rest] = await dump();
    expect([afterFirst, ...rest]).toEqual([whole[0], ...whole.slice(2)]);
    expect(afterSecond).toContain('9000');
    await importRows(place.storage, 'evm.nft-tokens.ndjson', rows);
    expect((await dump())[0]).toEqual(whole[0]);
  });
});

test.runIf(!hasRecordedNode)('no recorded network lies in ../shared/node', () => {
  expect(hasRecordedNode).toBe(false);
});
