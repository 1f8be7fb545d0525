import { expect, test } from 'vitest';
import { rowBytes } from '../../../src/follow/status/cost.js';
import { launch } from '../../harness/launched.js';
import { hasRecordedNode, startRecordedNode } from '../../harness/recorded-node.js';
import { isInternal, recordedFrames } from '../../harness/trace-truth.js';

/** The blocks of the recorded chain, and those that are looked at: each second of 32 that are spread. */
const [BLOCKS, SPREAD] = [551, 32];
const LINE = /(\d+) blocks?, about (\d+) (s|min) at ([\d.,]+) blocks\/s, about ([\d.]+) (bytes|KB|MB)/;
const BYTES = { bytes: 1, KB: 1e3, MB: 1e6 };

test.skipIf(!hasRecordedNode)(
  'what the past of a stream takes is printed as blocks, time and bytes, from blocks that are spread over it',
  async () => {
    const node = await startRecordedNode('network-a', { latencyMs: 5 });
    try {
      // No recorded block is as new as that.
      const from = ['internals=0', 'nfts=2025-11-25', 'messages=2026-11-28', 'balances=now'];
      const check = launch(['follow', node.url, '--check', '--from', ...from], {});
      expect((await check.ended).code, check.output()).toBe(0);
      const lineOf = (what: string) =>
        new RegExp(`^.*${what} of the C-chain.*$`, 'm').exec(check.output())![0];

      const [, blocks, time, unit, rate, size, of] = LINE.exec(lineOf('internal transactions'))!;
      expect(Number(blocks)).toBe(BLOCKS);
      const seconds = Number(time) * (unit === 'min' ? 60 : 1);
      expect(Math.abs(seconds - BLOCKS / Number(rate!.replaceAll(',', '')))).toBeLessThanOrEqual(
        1 + seconds / 20,
      );
      const looked = Array.from({ length: SPREAD }, (_, index) => Math.floor((BLOCKS * index) / SPREAD));
      const measured = new Set(looked.filter((_, index) => index % 2 === 1));
      const frames = recordedFrames('network-a').filter(
        (each) => isInternal(each) && each.frame.to !== undefined && measured.has(each.blockNumber),
      );
      expect(frames.length).toBeGreaterThan(0);
      const bytes = (BLOCKS * frames.length * rowBytes['internal_tx']!) / measured.size;
      expect(Number(size) * BYTES[of as keyof typeof BYTES]).toBeGreaterThan(bytes * 0.9);
      expect(Number(size) * BYTES[of as keyof typeof BYTES]).toBeLessThan(bytes * 1.1);

      expect(lineOf('NFTs')).toMatch(LINE);
      // Nothing of the past is wanted.
      expect(lineOf('messages')).not.toMatch(/blocks\/s/);
      expect(lineOf('balances')).not.toMatch(/blocks\/s/);
    } finally {
      await node.close();
    }
  },
);
