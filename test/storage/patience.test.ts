import { expect, test } from 'vitest';
import { untilConnected } from '../../src/storage/patience.js';

test('what no client waits for is done when a connection is free again, and other failures are its own', async () => {
  const failures = [
    new Error('timeout exceeded when trying to connect'),
    Object.assign(new Error(), { code: '53300' }),
  ];
  const work = async () => {
    await Promise.resolve();
    const failure = failures.shift();
    if (failure) throw failure;
    return 'done';
  };
  expect(await untilConnected(work)).toBe('done');
  failures.push(new Error('another reason'));
  await expect(untilConnected(work)).rejects.toThrow('another reason');
});
