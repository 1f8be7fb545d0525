import { expect, test } from 'vitest';
import { Abandon } from '../../src/storage/abandon.js';
import { untilConnected, type Wait } from '../../src/storage/patience.js';

const NO_CONNECTION = '53300';

/** Work that fails with some errors first. */
const failing = (failures: Error[], wait: Partial<Wait> = {}) => {
  const work = async () => {
    await Promise.resolve();
    const failure = failures.shift();
    if (failure) throw failure;
    return 'done';
  };
  return untilConnected(work, { deadline: Date.now() + 60_000, ...wait });
};
const withCode = (code: string) => Object.assign(new Error(code), { code });

test('what no client waits for is done when a connection is free again, and other failures are its own', async () => {
  const busy = [new Error('timeout exceeded when trying to connect'), withCode(NO_CONNECTION)];
  expect(await failing(busy)).toBe('done');
  await expect(failing([new Error('another reason')])).rejects.toThrow('another reason');
  // The server has no memory left: the same again would take it from others.
  await expect(failing([withCode('53200')])).rejects.toThrow('53200');
});

test('it ends when its time is over, and when it is abandoned', async () => {
  await expect(failing([withCode(NO_CONNECTION)], { deadline: 0 })).rejects.toThrow(NO_CONNECTION);
  const abandon = new Abandon();
  const waiting = failing([withCode(NO_CONNECTION)], { abandon });
  abandon.abort(new Error('its client has left'));
  await expect(waiting).rejects.toThrow('its client has left');
});
