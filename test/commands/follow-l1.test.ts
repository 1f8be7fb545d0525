import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAlteredNode } from '../harness/altered-node.js';
import { hasAnvil, startAnvil, type Anvil } from '../harness/anvil.js';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { assemble, sends } from '../harness/evm-code.js';
import { excerptGenesis, startExcerptNode } from '../harness/excerpt-node.js';
import { launch, served, type Launched } from '../harness/launched.js';
import type { NodeServer } from '../harness/node-server.js';
import type { ScriptedNode } from '../harness/scripted-node.js';

const CHAIN = 781;
const someone = '0x0000000000000000000000000000000000005555';

describe.runIf(hasAnvil)('serve with FOLLOW_L1', () => {
  let node: NodeServer;
  let anvil: Anvil;
  let database: TestDatabase;
  /** Two addresses of the one chain. */
  let addresses: ScriptedNode[];
  let gateway: Launched;
  let url: string;

  /** A creation that sends 2 wei. @returns the transaction's hash */
  const act = async () => {
    const [from] = await anvil.call<[string]>('eth_accounts');
    const data = `0x${assemble(...sends('0x5555', 2))}`;
    return anvil.call<string>('eth_sendTransaction', { from, gas: '0x4c4b40', value: '0x64', data });
  };
  /** The hashes of someone's internal transactions by REST, the newest first. */
  const listed = async (): Promise<string[]> => {
    const path = `/v1/chains/${CHAIN}/addresses/${someone}/transactions:listInternals?pageSize=100`;
    const response = await fetch(url + path);
    if (response.status === 404) return [];
    const { transactions } = (await response.json()) as {
      transactions: { nativeTransaction?: { txHash: string }; txHash?: string }[];
    };
    return transactions.map(({ txHash, nativeTransaction }) => txHash ?? nativeTransaction?.txHash ?? '');
  };
  const until = async (hashes: readonly string[]) => {
    for (;;) {
      const now = await listed();
      if (hashes.every((hash) => now.includes(hash))) return now;
      await sleep(50);
    }
  };

  beforeAll(async () => {
    [node, anvil, database] = await Promise.all([
      startExcerptNode({ C: 5 }),
      startAnvil(CHAIN),
      createDatabase(),
    ]);
    addresses = [
      await startAlteredNode(anvil.url, () => null),
      await startAlteredNode(anvil.url, () => null),
    ];
    gateway = launch(['serve'], {
      DATABASE_URL: database.url,
      FOLLOW: node.url,
      FOLLOW_GENESIS: excerptGenesis,
      FOLLOW_AS: 'fuji',
      FOLLOW_L1: addresses.map((each) => each.url).join(','),
      FOLLOW_ONLY: 'c-atomic,internals,logs',
    });
    url = await gateway.says(served);
  });
  afterAll(async () => {
    await gateway?.stop();
    await Promise.all([node?.close(), anvil?.close(), ...(addresses ?? []).map((each) => each.close())]);
    await database?.drop();
  });

  test('its internal transactions are in REST, and both addresses are asked', async () => {
    const sent = [await act(), await act(), await act()];
    expect((await until(sent)).toSorted()).toEqual(sent.toSorted());
    for (const { asked } of addresses) expect(asked.length).toBeGreaterThan(0);
    const ready = await (await fetch(`${url}/ready`)).text();
    expect(ready).toContain(`internals:${CHAIN}`);
    expect(ready).toContain(`messages:${CHAIN}`);
    // The node's own address is nobody's business.
    const chain = await (await fetch(`${url}/v1/chains/${CHAIN}`)).json();
    expect(JSON.stringify(chain)).not.toContain('127.0.0.1');
  });

  test('when one address is gone, the other goes on', async () => {
    await addresses[0]?.close();
    const sent = [await act(), await act()];
    expect(await until(sent)).toHaveLength(5);
  });
});
