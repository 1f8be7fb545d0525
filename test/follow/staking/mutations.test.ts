import { readFileSync, writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasRecordedNode } from '../../harness/recorded-node.js';
import {
  findings,
  stakingRecord,
  type StakingCode,
  type StakingRecord,
} from '../../harness/staking-replay.js';

const source = new URL('../../../src/', import.meta.url);
const entry = fileURLToPath(new URL('../../harness/staking-code.ts', import.meta.url));

/** A rule of the state machine, the file that has it, its text there, and another one. */
const mutations: [rule: string, file: string, text: string, instead: string][] = [
  [
    'the order of ties by id',
    'avalanche/chain/staker-order.ts',
    'a.idHex < b.idHex ? -1',
    'a.idHex > b.idHex ? -1',
  ],
  [
    'the order of ties by priority',
    'avalanche/chain/staker-order.ts',
    'return a.priority - b.priority',
    'return b.priority - a.priority',
  ],
  ['who has started, off by one second', 'follow/staking/stakers.ts', 'start > time', 'start >= time'],
  [
    'who leaves by time, off by one second',
    'follow/staking/stakers.ts',
    'first.end > time',
    'first.end >= time',
  ],
  [
    'the rounding of a reward',
    'avalanche/chain/reward.ts',
    'return reward < left ? reward : left',
    'return reward + 1n',
  ],
  [
    'the rounding of a validator’s share',
    'avalanche/chain/reward.ts',
    'product / MILLION :',
    '(product + MILLION - 1n) / MILLION :',
  ],
  [
    'the supply that an aborted reward leaves',
    'follow/staking/stakers.ts',
    'if (!isRewarded) this.mint(',
    'if (isRewarded && !isRewarded) this.mint(',
  ],
  [
    'the supply that grows with each start',
    'follow/staking/stakers.ts',
    'this.mint(staker.subnetId, reward)',
    'void reward',
  ],
  [
    'the share that waits for the end of the validator',
    'follow/staking/stakers.ts',
    'validator.start < this.forks.cortinaTime',
    'validator.start >= 0',
  ],
  ['the rates of an elastic subnet', 'follow/staking/stakers.ts', 'known.rates ?? primary', 'primary'],
  [
    'the start at acceptance since Durango',
    'follow/staking/stakers.ts',
    '{ ...staker, start: time }',
    'staker',
  ],
  [
    'who cannot pay the next second',
    'follow/staking/l1-state.ts',
    'this.endBelow(this.state.accrued + cost)',
    'void cost',
  ],
  [
    'who cannot pay the next second, off by one',
    'follow/staking/l1-state.ts',
    'this.state.excess, 1n)',
    'this.state.excess, 2n)',
  ],
  [
    'the price of a second',
    'avalanche/chain/validator-fee.ts',
    'cost += validatorPrice(config, now)',
    'cost += validatorPrice(config, now - change)',
  ],
  [
    'a balance that begins anew',
    'follow/staking/l1-state.ts',
    'before.endFee : this.state.accrued',
    'before.endFee : 0n',
  ],
];

describe.runIf(hasRecordedNode)('the follower’s own checks', () => {
  const folder = mkdtempSync(join(tmpdir(), 'moraine-mutations-'));
  let records: StakingRecord[];

  beforeAll(() => {
    records = ['network-a', 'network-c'].map((network) => stakingRecord(network));
    expect(records.flatMap((record) => findings(record))).toEqual([]);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each(mutations)('find another rule: %s', async (_rule, file, text, instead) => {
    const path = fileURLToPath(new URL(file, source));
    const original = readFileSync(path, 'utf8');
    expect(original.split(text), 'the rule is not where it was').toHaveLength(2);
    const code = await changed(path, original.replace(text, instead));
    expect(records.flatMap((record) => findings(record, code))).not.toEqual([]);
  });

  /** The state machine with another text of one file. */
  async function changed(path: string, contents: string): Promise<StakingCode> {
    const { outputFiles } = await build({
      entryPoints: [entry],
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'node',
      plugins: [
        {
          name: 'mutation',
          setup: (hooks) =>
            hooks.onLoad({ filter: /\.ts$/ }, (given) =>
              given.path === path ? { contents, loader: 'ts' } : null,
            ),
        },
      ],
    });
    const file = join(folder, `${String(Math.random()).slice(2)}.mjs`);
    writeFileSync(file, outputFiles[0]!.contents);
    return (await import(/* @vite-ignore */ pathToFileURL(file).href)) as StakingCode;
  }
});

test.runIf(!hasRecordedNode)('no recorded network lies in ../shared/node', () => {
  expect(hasRecordedNode).toBe(false);
});
