import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adoptIdentities } from '../../../src/avalanche/identity.js';
import { ALL_TOKENS } from '../../../src/config/follow-settings.js';
import { startAlteredNode } from '../../harness/altered-node.js';
import { hasAnvil, startAnvil, type Anvil } from '../../harness/anvil.js';
import { wordOf } from '../../harness/evm-actor.js';
import { assemble, deploying, logs, TRANSFER } from '../../harness/evm-code.js';
import { excerptGenesis, startExcerptNode } from '../../harness/excerpt-node.js';
import { followOnce, startFollowing } from '../../harness/followed.js';
import { createImportDatabase, type ImportDatabase } from '../../harness/ingest.js';
import { captureLog } from '../../harness/log.js';
import type { Alteration } from '../../harness/recorded-c-chain.js';
import { coinProgram } from '../../harness/token-code.js';

const CHAIN = 779;
const owner = `0x${'c7'.repeat(20)}`;
const addressAt = (index: number) => `0x${(0xf0 + index).toString(16).repeat(20)}`;
const hex = (index: number) => index.toString(16).padStart(4, '0');

/** A contract that logs a transfer when it is sent nothing, and else does this; `@` is where that begins. */
function logsAnd(fails: string): string {
  const transfer = assemble(...logs([TRANSFER, `0x${wordOf(1)}`, `0x${wordOf(owner)}`], `0x${wordOf(5)}`));
  const index = 5 + transfer.length / 2 + 1;
  return `3661${hex(index)}57${transfer}005b${fails.replace('@', hex(index))}`;
}

/** What the contracts do when they are asked for a balance. */
const contracts: [does: string, code: string][] = [
  ['has an invalid opcode', 'fe'],
  ['runs without an end', '61@56'],
  ['takes what is not on the stack', '01'],
  ['jumps to nowhere', '600056'],
  ['reverts', '60006000fd'],
  ['returns nothing', '00'],
  ['returns one byte', '60016000f3'],
  // Its node says so.
  ['fails in words that nobody knows', '60206000f3'],
];
const sulking = addressAt(contracts.length - 1);

describe.runIf(hasAnvil)('balances of all tokens', () => {
  let anvil: Anvil;
  let node: Awaited<ReturnType<typeof startExcerptNode>>;
  let database: ImportDatabase;
  let coin: string;

  beforeAll(async () => {
    [anvil, node, database] = await Promise.all([
      startAnvil(CHAIN),
      startExcerptNode({ C: 5 }),
      createImportDatabase(),
    ]);
    const [account] = await anvil.call<[string]>('eth_accounts');
    const send = async (transaction: object): Promise<string> => {
      const hash = await anvil.call<string>('eth_sendTransaction', {
        from: account,
        gas: '0x4c4b40',
        ...transaction,
      });
      for (;;) {
        const receipt = await anvil.call<{ contractAddress: string } | null>(
          'eth_getTransactionReceipt',
          hash,
        );
        if (receipt) return receipt.contractAddress;
        await sleep(2);
      }
    };
    for (const [at, [, code]] of contracts.entries()) {
      await anvil.call('anvil_setCode', addressAt(at), `0x${logsAnd(code)}`);
      await send({ to: addressAt(at) });
    }
    coin = await send({ data: `0x${deploying(coinProgram())}` });
    await send({ to: coin, data: `0x${wordOf(owner)}${wordOf(7)}${wordOf(0)}` });
  });
  afterAll(async () => {
    await Promise.all([anvil?.close(), node?.close(), database?.close()]);
    adoptIdentities({});
  });

  const given = (url: string, more: object = {}) => ({
    urls: [node.url],
    genesis: excerptGenesis,
    only: ['c-atomic' as const],
    l1: [url],
    l1Only: ['balances' as const],
    tokens: [ALL_TOKENS],
    ...more,
  });
  /** Whether a call asks a contract for a balance. */
  const asks = ({ method, params }: Parameters<Alteration>[0], contract: string) =>
    method === 'eth_call' && (params as [{ to: string }])[0].to === contract;
  const stored = async () => {
    const rows = await database.storage.prisma.$queryRaw<{ contract: string; balance: string }[]>`
      SELECT '0x' || encode(h.contract, 'hex') AS contract, b.balance::text FROM evm_balance b
        JOIN evm_holding h ON h.id = b.holding_id JOIN evm_address a ON a.id = b.address_id
      WHERE h.contract <> '' AND a.address = decode(${owner.slice(2)}, 'hex') ORDER BY 1`;
    return rows.map(({ contract, balance }) => [contract, balance]);
  };

  test('a contract that fails in whatever way has none, which is said once, and halts nothing', async () => {
    const { log, lines } = captureLog();
    const other = await startAlteredNode(anvil.url, (asked) =>
      asks(asked, sulking) ? { error: { code: -32000, message: 'the contract sulks' } } : null,
    );
    try {
      expect(await followOnce(database.storage, given(other.url, { node: { log } }))).toEqual([]);
    } finally {
      await other.close();
    }
    expect(await stored()).toEqual([[coin, '7']]);
    const silent = lines.filter(({ msg }) => msg.includes('balanceOf fails, or returns no number'));
    expect(silent.map(({ msg }) => /0x\w{40}/.exec(msg)?.[0]).sort()).toEqual(
      contracts.map((_, at) => addressAt(at)).sort(),
    );
  });

  test.each<[how: string, said: object]>([
    ['refuses all calls of contracts', { error: { code: -32000, message: 'the node sulks' } }],
    ['has no state, in words that nobody knows', { error: { code: -32000, message: 'gone with the wind' } }],
    ['says half a digit', { result: '0x123' }],
    ['says what is no hexadecimal number', { result: 'seven' }],
  ])('a node that %s is waited for', async (_, said) => {
    const fresh = await createImportDatabase();
    const other = await startAlteredNode(anvil.url, ({ method }) =>
      method === 'eth_call' ? (said as never) : null,
    );
    try {
      const following = await startFollowing(fresh.storage, given(other.url, { node: { patienceMs: 50 } }));
      const view = () => following.views.find(({ name }) => name === `balances:${CHAIN}`);
      while (view()?.note === null || view()?.note === undefined) await sleep(10);
      expect(view()?.note).toContain('eth_call: ');
      expect(await following.stop()).toEqual([]);
    } finally {
      await other.close();
      await fresh.close();
    }
  });
});

test.runIf(!hasAnvil)('npm has no Anvil for this machine', () => {
  expect(hasAnvil).toBe(false);
});
