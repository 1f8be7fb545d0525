import { expect, test } from 'vitest';
import type { Plan } from '../../src/access/plans.js';
import { AppError } from '../../src/errors.js';
import { openEvents } from '../../src/live/events.js';
import type { Feed } from '../../src/live/feed.js';
import { Streams, type OpenStream } from '../../src/live/streams.js';
import { Turns, type Waiter } from '../../src/live/turns.js';

const waiter = (caller: string, signal = new AbortController().signal): Waiter => ({ caller, signal });

/** Work that has begun, and how to end it. */
function recorder() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  return {
    begun,
    end: () => ends.shift()?.(),
    work: (name: string) => () =>
      new Promise<string>((resolve) => {
        begun.push(name);
        ends.push(() => resolve(name));
      }),
  };
}

test('a caller with many streams has half of the turns, and its next one comes after those of others', async () => {
  const { begun, end, work } = recorder();
  const turns = new Turns(2, 100);
  const all = ['a1', 'a2', 'a3', 'b1', 'b2'].map((name) => turns.take(waiter(name[0]!), work(name)));
  expect(begun).toEqual(['a1', 'b1']);
  end();
  await all[0];
  expect(begun).toEqual(['a1', 'b1', 'a2']);
  end();
  await all[3];
  expect(begun).toEqual(['a1', 'b1', 'a2', 'b2']);
  end();
  end();
  await all[4];
  end();
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1', 'b2']);
});

test('what several want is made once, by the one whose turn comes first', async () => {
  const { begun, end, work } = recorder();
  const turns = new Turns(1, 100);
  const slow = turns.take(waiter('a'), work('slow'));
  let made: Promise<string> | undefined;
  const want = (caller: string) =>
    turns.once(
      waiter(caller),
      () => made,
      () => (made = work(`by ${caller}`)()),
    );
  const behind = turns.take(waiter('a'), work('behind'));
  const wanted = [want('a'), want('b')];
  end();
  await slow;
  // The turn is that of the other caller, or of what came first of the same one.
  end();
  end();
  expect(await behind).toBe('behind');
  end();
  expect(new Set(await Promise.all(wanted)).size).toBe(1);
  expect(begun).toHaveLength(3);
});

test('who waits for what another makes leaves its turn to others', async () => {
  const { begun, end, work } = recorder();
  const turns = new Turns(1, 100);
  const first = turns.take(waiter('a'), work('first'));
  const made: Promise<string>[] = [];
  const wanted = turns.once(waiter('b'), () => made[0], work('never'));
  const next = turns.take(waiter('c'), work('next'));
  let finish = (_text: string) => {};
  made.push(new Promise((resolve) => (finish = resolve)));
  end();
  await first;
  await expect.poll(() => begun).toEqual(['first', 'next']);
  finish('made elsewhere');
  expect(await wanted).toBe('made elsewhere');
  end();
  expect(await next).toBe('next');
});

test('a stream that has ended gives its turn up at once, with the reason', async () => {
  const { begun, end, work } = recorder();
  const turns = new Turns(1, 100);
  const running = turns.take(waiter('a'), work('first'));
  const controller = new AbortController();
  const gone = turns.take(waiter('b', controller.signal), work('never'));
  const next = turns.take(waiter('c'), work('next'));
  controller.abort(new AppError('SERVICE_UNAVAILABLE', 'it stops'));
  await expect(gone).rejects.toThrow('it stops');
  await expect(turns.take(waiter('a'), work('too late'), 0)).rejects.toThrow('behind with its streams');
  end();
  await running;
  end();
  expect(await next).toBe('next');
  expect(begun).toEqual(['first', 'next']);
});

test('a stream whose client leaves while it waits for its turn has no more events, and no error', async () => {
  const limiter = { limits: false, consume: () => expect.fail('there are no limits') };
  const streams = new Streams(100, 1, limiter);
  const { end, work } = recorder();
  const feed = {
    join: () => Promise.resolve({ entry: 1, index: Infinity }),
    next: (_at: unknown, _kinds: unknown, { turns, ...own }: OpenStream) => turns.take(own, work('never')),
    leave: () => undefined,
  };
  const list = { name: 'nothing', kinds: ['utxo'] as const, read: () => Promise.resolve([]), matches: {} };
  const caller = { identity: 'a', plan: { name: 'free', streams: 1 } as Plan };
  const options = { query: {}, after: null, includeBackfill: false, beginMs: 1000 };
  const live = { streams, feed: feed as unknown as Feed };
  const events = await openEvents(live, list as never, caller, options);
  const other = streams.begin({ ...caller, identity: 'b' });
  const running = other.turns.take(other, work('running'));
  const next = events.next();
  await events.return?.();
  expect(await next).toEqual({ done: true, value: undefined });
  end();
  await running;
});
