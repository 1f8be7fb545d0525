import { expect, test } from 'vitest';
import { AppError } from '../../src/errors.js';
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
