import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { deliveryHandlers } from '../../../src/resources/webhook/delivery.js';

test('an event that was waited for longer than a turn is left to the next job: this one may count as lost', async () => {
  const transaction = { $executeRaw: () => Promise.resolve(1) };
  const prisma = {
    async $queryRaw() {
      await sleep(30);
      return [{ eventId: 1n, body: '{}', isOld: false, url: 'http://127.0.0.1', failures: 0, bytes: 2 }];
    },
    $transaction: (work: (on: typeof transaction) => Promise<unknown>) => work(transaction),
  };
  const attempted = vi.fn();
  const enqueue = vi.fn(() => Promise.resolve());
  const deps = { prisma, enqueue, attempted, pauses: [1], turnMs: 10, log: pino({ level: 'silent' }) };
  const handlers = deliveryHandlers(deps as never);
  const complete = vi.fn(() => Promise.resolve());
  const job = { jobId: 'one', webhook: '1' };
  await handlers.run({ job, last: false, complete, retry: complete }, new AbortController().signal);
  expect(attempted).not.toHaveBeenCalled();
  expect([enqueue.mock.calls.length, complete.mock.calls.length]).toEqual([1, 1]);
});
