import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MemoryStore } from '../../src/access/memory-store.js';
import { countFor, PrimaryCounts } from '../../src/cluster/counts.js';
import { Line, topic, type LineMessage } from '../../src/cluster/line.js';

const rules = { tolerance: 2, first: 40_000, longest: 200_000 };

/** Two ends, with what is sent between them as text. */
function lineAndMessages(): { near: Line; far: Line; messages: LineMessage[] } {
  const messages: LineMessage[] = [];
  const copy = (message: LineMessage) => {
    messages.push(message);
    return JSON.parse(JSON.stringify(message)) as LineMessage;
  };
  const near: Line = new Line((message) => far.take(copy(message)));
  const far: Line = new Line((message) => near.take(copy(message)));
  return { near, far, messages };
}

const action = fc.record({
  pause: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: -2000, max: 50_000 })),
  kind: fc.constantFrom('charge', 'look', 'calls', 'take back'),
  amount: fc.integer({ min: 1, max: 4 }),
  caller: fc.constantFrom('a', 'b'),
});

test('counting in another process decides as counting here, over any sequence', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 20, maxLength: 80 }), async (actions) => {
      const clock = { now: 1_790_000_000_123 };
      const here = new MemoryStore(rules, () => clock.now);
      const { near, far } = lineAndMessages();
      countFor(far, new MemoryStore(rules, () => clock.now));
      const there = new PrimaryCounts(near, new MemoryStore(rules, () => clock.now));
      const plan = { requests: 5, seconds: 60, perDay: 20 };
      const limit = { calls: 5, seconds: 60 };
      for (const { pause, kind, amount, caller } of actions) {
        clock.now += pause;
        if (kind === 'charge' || kind === 'look') {
          const charge = kind === 'charge';
          const expected = here.step(caller, plan, amount, charge);
          expect(await there.step(caller, plan, amount, charge)).toEqual(expected);
          expect(there.size).toBe(here.size);
        } else if (kind === 'calls') {
          const expected = here.callLog('field', limit).append(caller, amount, clock.now);
          expect(await there.callLog('field', limit).append(caller, amount, clock.now)).toEqual(expected);
        } else {
          here.callLog('field', limit).takeBack(caller, amount);
          await there.callLog('field', limit).takeBack(caller, amount);
        }
      }
    }),
    { numRuns: 100 },
  );
});

test('what is asked in one turn of the event loop goes as one message, and so do the answers', async () => {
  const { near, far, messages } = lineAndMessages();
  const double = topic<number, number>('double');
  far.answer(double, (number) => 2 * number);
  const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => near.ask(double, index)));
  expect(answers).toEqual(Array.from({ length: 50 }, (_, index) => 2 * index));
  expect(messages).toHaveLength(2);
});

test('a question that nobody answers, one that fails, and one to a process that is gone, reject', async () => {
  const { near, far } = lineAndMessages();
  const broken = topic<null, null>('broken');
  await expect(near.ask(broken, null)).rejects.toThrow('no process answers broken');
  far.answer(broken, () => Promise.reject(new Error('it is broken')));
  await expect(near.ask(broken, null)).rejects.toThrow('it is broken');
  far.answer(broken, () => new Promise(() => undefined));
  const waiting = near.ask(broken, null);
  near.close();
  await expect(waiting).rejects.toThrow('the other process has ended');
  await expect(near.ask(broken, null)).rejects.toThrow('the other process has ended');
});
