import { expect, test } from 'vitest';
import { SharedTexts } from '../../src/live/entry.js';

test('results that streams share are made once, until they are too many or too large together', async () => {
  const texts = new SharedTexts();
  let made = 0;
  const ask = (key: string, length: number) =>
    texts.get(key, () => {
      made += 1;
      return Promise.resolve('x'.repeat(length));
    });
  const askTwice = async (key: string, length: number) => {
    const before = made;
    expect([await ask(key, length), await ask(key, length)].map((text) => text.length)).toEqual([
      length,
      length,
    ]);
    return made - before;
  };
  expect(await askTwice('larger than all may be', 512 * 1024 + 1)).toBe(2);
  for (let index = 0; index < 4; index += 1) expect(await askTwice(`a quarter ${index}`, 128 * 1024)).toBe(1);
  expect(await askTwice('one more', 1)).toBe(2);
  for (let index = 0; index < 4; index += 1) expect(await askTwice(`a quarter ${index}`, 128 * 1024)).toBe(0);
  for (let index = 0; index < 252; index += 1) expect(await askTwice(`nothing ${index}`, 0)).toBe(1);
  expect(await askTwice('the 257th', 0)).toBe(2);
});

test('a result that could not be made is made again', async () => {
  const texts = new SharedTexts();
  await expect(texts.get('key', () => Promise.reject(new Error('not now')))).rejects.toThrow('not now');
  expect(await texts.get('key', () => Promise.resolve('made'))).toBe('made');
});

test('a result that is too large to be kept is made once for those that wait for their turn to have it', async () => {
  const texts = new SharedTexts();
  let made = 0;
  const wait = (turn: Promise<void>) =>
    texts.whileWaiting('key', async () => {
      await turn;
      return texts.get('key', () => Promise.resolve(String((made += 1)).padEnd(512 * 1024 + 1)));
    });
  let admit = () => {};
  const second = wait(new Promise((resolve) => (admit = resolve)));
  const first = await wait(Promise.resolve());
  admit();
  expect((await second).slice(0, 2)).toBe(first.slice(0, 2));
  expect(texts.known('key')).toBe(undefined);
});
