import { expect } from 'vitest';
import type { Storage } from '../../src/storage/open.js';
import { followOnce, type ToFollow } from './followed.js';
import { dumpFollowed } from './followed-dump.js';
import { openNodeProxy, type NodeFaults } from './node-proxy.js';

/**
 * Follows a node through a proxy that makes faults, and then the honest one: expects the rows of an honest
 * run.
 *
 * @param whole the dump of an honest run
 * @returns how often the proxy made each fault
 */
export async function followThroughFaults(
  storage: Storage,
  { urls: [honest = ''], ...given }: ToFollow,
  faults: Partial<NodeFaults>,
  whole: Record<string, unknown[]>,
): Promise<Readonly<Record<string, number>>> {
  const options = { ...given, node: { patienceMs: 500 } };
  const proxy = await openNodeProxy(honest, { seed: 34, faults });
  try {
    expect(await followOnce(storage, { ...options, urls: [proxy.url] })).toEqual([]);
    expect(await followOnce(storage, { ...options, urls: [honest] })).toEqual([]);
    expect(await dumpFollowed(storage)).toEqual(whole);
    return { ...proxy.counts };
  } finally {
    await proxy.close();
  }
}
