import { pino } from 'pino';
import { toHex, type Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RewardTokens } from '../../../src/follow/evm/reward-tokens.js';
import { openEvm, type EvmNodes } from '../../../src/follow/node/nodes.js';
import { hasAnvil, startAnvil, type Anvil } from '../../harness/anvil.js';
import { assemble } from '../../harness/evm-code.js';
import { Random } from '../../harness/random.js';

/** What is remembered at most, of tokens and of a text of each. */
const [MOST_TOKENS, MOST_CHARACTERS] = [1000, 100];
const TOKENS = 1100;
/** Questions to a contract that says all of itself. */
const QUESTIONS = 3;

/** Answers every call with a text of 160 characters, whose first word, 32, is also its decimals. */
function saysItsName(name: string): Hex {
  const words: Hex[] = [
    toHex(32, { size: 32 }),
    toHex(160, { size: 32 }),
    ...Array<Hex>(5).fill(toHex(name, { size: 32 })),
  ];
  const stored = words.flatMap((each, index) => [each, 32 * index, 'MSTORE'] as const);
  return `0x${assemble(...stored, 32 * words.length, 0, 'RETURN')}`;
}

describe.runIf(hasAnvil)('tokens of rewards', () => {
  let anvil: Anvil;
  let nodes: EvmNodes;
  const nameOf = (index: number) => `token ${String(index).padStart(26, '.')}`;
  const addressOf = (index: number) => toHex(0x7000_0000 + index, { size: 20 });
  const { signal } = new AbortController();

  beforeAll(async () => {
    anvil = await startAnvil(780);
    nodes = openEvm([anvil.url], null, { log: pino({ level: 'silent' }) });
    for (let index = 0; index < TOKENS; index += 1)
      await anvil.call('anvil_setCode', addressOf(index), saysItsName(nameOf(index)));
  });
  afterAll(async () => {
    await nodes?.close();
    await anvil?.close();
  });

  const asked = () =>
    nodes
      .figures()
      .requests.filter(({ method }) => method === 'eth_call')
      .reduce((sum, { count }) => sum + count, 0);
  /** Has tokens described, which must be right; gives how many of them were remembered. */
  async function describeAll(tokens: RewardTokens, indexes: readonly number[]): Promise<number> {
    const before = asked();
    const said = await tokens.describe(new Set(indexes.map(addressOf)), signal);
    for (const index of indexes) {
      const text = nameOf(index).repeat(5).slice(0, MOST_CHARACTERS);
      expect(said.get(addressOf(index))).toEqual({ name: text, symbol: text, decimals: 32 });
    }
    return indexes.length - (asked() - before) / QUESTIONS;
  }
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

  test('as many as are remembered are asked once', async () => {
    const tokens = new RewardTokens(nodes);
    expect(await describeAll(tokens, upTo(MOST_TOKENS))).toBe(0);
    expect(await describeAll(tokens, upTo(MOST_TOKENS).toReversed())).toBe(MOST_TOKENS);
  });

  test('never more are remembered, however many there are and in whichever order they come', async () => {
    const random = new Random(34);
    const tokens = new RewardTokens(nodes);
    for (let turn = 0; turn < 30; turn += 1) {
      const start = random.below(TOKENS);
      const indexes = upTo(1 + random.below(120)).map((index) => (start + 7 * index) % TOKENS);
      await describeAll(tokens, [...new Set(indexes)]);
    }
    expect(await describeAll(tokens, upTo(TOKENS))).toBeLessThanOrEqual(MOST_TOKENS);
    expect(await describeAll(tokens, upTo(TOKENS))).toBeLessThanOrEqual(MOST_TOKENS);
  });
});

test.runIf(!hasAnvil)('npm has no Anvil for this machine', () => {
  expect(hasAnvil).toBe(false);
});
