import { pino } from 'pino';
import { openNode, type NodeOptions, type Nodes } from '../../src/follow/node/nodes.js';
import { NodeError } from '../../src/follow/node/error.js';
import { withChecksum } from '../../src/avalanche/cb58.js';

/** Pauses of a test, in milliseconds. */
export const shortPauses = { least: 1, most: 8 };

/** A client with short pauses whose log goes nowhere. */
export function openTestNodes(urls: readonly string[], options: Partial<NodeOptions> = {}): Nodes {
  return openNode(urls, {
    log: pino({ level: 'silent' }),
    pauses: shortPauses,
    patienceMs: 2_000,
    ...options,
  });
}

/** The NodeError of a call that must fail. */
export async function nodeErrorOf(call: Promise<unknown>): Promise<NodeError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof NodeError) return error;
    throw error;
  }
  throw new Error('the call did not fail');
}

/** Bytes as a node prints them with `encoding: hex`. */
export function hexOf(bytes: Uint8Array): string {
  return `0x${Buffer.from(withChecksum(bytes)).toString('hex')}`;
}
