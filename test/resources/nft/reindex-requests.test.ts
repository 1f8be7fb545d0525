import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ReindexDecision, requestReindex } from '../../../src/resources/nft/store.js';
import {
  empty,
  hour,
  inline,
  later,
  type MetadataJobs,
  now,
  openMetadataJobs,
  times,
  tokenSequence,
} from '../../harness/metadata-jobs.js';
import { findToken } from '../../harness/nft-token.js';
import { startReindexProcess } from '../../harness/reindex.js';

let jobs: MetadataJobs;
beforeAll(async () => {
  jobs = await openMetadataJobs();
});
afterAll(() => jobs.close());
const tokenOf = tokenSequence();

describe('a request to reindex a token', () => {
  test('is accepted once an hour, counted from the last accepted one and not by the clock', async () => {
    const token = tokenOf(empty);
    expect(await jobs.request(token)).toEqual({ accepted: true });
    expect(await jobs.request(token)).toEqual({ accepted: false, retryAfterSeconds: 3600 });
    expect(await jobs.request(token, later(30_000))).toEqual({ accepted: false, retryAfterSeconds: 3570 });
    expect(await jobs.request(token, later(30_001))).toEqual({ accepted: false, retryAfterSeconds: 3570 });
    expect(await jobs.request(token, later(hour - 1))).toEqual({ accepted: false, retryAfterSeconds: 1 });
    expect(await jobs.request(token, later(hour))).toEqual({ accepted: true });
    expect(await jobs.request(token, later(hour + 1))).toEqual({ accepted: false, retryAfterSeconds: 3600 });
    // A server whose clock is behind.
    expect(await jobs.request(token, now)).toEqual({ accepted: false, retryAfterSeconds: 3600 });
  });

  test('that was accepted while the clock was two days ahead counts for an hour from when the clock is right', async () => {
    const token = tokenOf(empty);
    expect(await jobs.request(token, later(48 * hour))).toEqual({ accepted: true });
    expect(await jobs.request(token)).toEqual({ accepted: false, retryAfterSeconds: 3600 });
    expect(await jobs.request(token, later(60_000))).toEqual({ accepted: false, retryAfterSeconds: 3540 });
    expect(await jobs.request(token, later(hour))).toEqual({ accepted: true });
  });

  test('is decided as if the last accepted one were all there is to know', async () => {
    const gap = fc.integer({ min: 0, max: 5_000_000 });
    await fc.assert(
      fc.asyncProperty(fc.array(gap, { minLength: 1, maxLength: 12 }), async (gaps) => {
        const token = tokenOf(empty);
        let accepted = -Infinity;
        let at = 0;
        for (const each of gaps) {
          at += each;
          const wait = accepted + hour - at;
          const decision = await jobs.request(token, later(at));
          if (wait > 0)
            expect(decision).toEqual({ accepted: false, retryAfterSeconds: Math.ceil(wait / 1000) });
          else expect(decision).toEqual({ accepted: true });
          if (decision.accepted) accepted = at;
        }
      }),
      { numRuns: 30 },
    );
  });

  test('adds a token that is not stored, and is kept apart by chain, contract and id', async () => {
    const token = tokenOf(empty);
    await jobs.request(token);
    const row = await findToken(jobs.prisma, token);
    expect(row).toMatchObject({ metadataStatus: 'queued', reindexRequestedAt: now, owner: null });
    expect(await jobs.request({ ...token, evmChainId: 1n })).toEqual({ accepted: true });
    expect(await jobs.request({ ...token, address: inline })).toEqual({ accepted: true });
    const largest = { ...token, tokenId: 2n ** 256n - 1n };
    expect(await jobs.request(largest)).toEqual({ accepted: true });
    expect((await findToken(jobs.prisma, largest))!.tokenId.toFixed()).toBe((2n ** 256n - 1n).toString());
  });

  test('leaves nothing behind when its job cannot be added', async () => {
    const token = tokenOf(empty);
    const failing = requestReindex(jobs.prisma, () => Promise.reject(new Error('no queue')), token, now);
    await expect(failing).rejects.toThrow('no queue');
    expect(await findToken(jobs.prisma, token)).toBeNull();
    expect(await jobs.request(token)).toEqual({ accepted: true });
  });

  describe('at the same time in four processes', () => {
    let children: ChildProcess[];
    beforeAll(async () => {
      const given = { databaseUrl: jobs.databaseUrl, times, now: now.toISOString() };
      children = await Promise.all(
        [13, 13, 12, 12].map((requests) => startReindexProcess({ ...given, role: 'request', requests })),
      );
    });
    afterAll(() =>
      Promise.all(
        children.map((child) => {
          child.stdin!.end();
          return once(child, 'exit');
        }),
      ),
    );

    test.each([
      ['a token that is not stored', false],
      ['a token whose hour is over', true],
    ])('is accepted exactly once among fifty, for %s', async (_which, held) => {
      const token = tokenOf(empty);
      if (held) await jobs.request(token, later(-hour));
      const before = await jobs.count('created');
      const answers = children.map(async (child) => {
        child.stdin!.write(`${JSON.stringify({ address: token.address, tokenId: `${token.tokenId}` })}\n`);
        const [output] = (await once(child.stdout!, 'data')) as [Buffer];
        return JSON.parse(output.toString()) as ReindexDecision[];
      });
      const decisions = (await Promise.all(answers)).flat();
      expect(decisions).toHaveLength(50);
      expect(decisions.filter(({ accepted }) => accepted)).toHaveLength(1);
      expect(decisions.filter((each) => !each.accepted && each.retryAfterSeconds === 3600)).toHaveLength(49);
      expect(await jobs.count('created')).toBe(before + 1);
    });
  });
});
