import { evmStreams, type EvmStream, type StreamName } from '../../config/follow-settings.js';
import { streamOf, type Memo, type PipelineName } from '../pipeline.js';
import type { Watermark } from '../watermark.js';

const ledger = 'transactions, and outputs until they are spent, so balances too';

const missing: Readonly<Record<StreamName, string>> = {
  p: ledger,
  'x-dag': ledger,
  'x-vertices': 'vertices',
  x: ledger,
  'c-atomic': ledger,
  internals: 'internal transactions',
  logs: 'messages, and NFTs that were not moved since',
  balances: 'balances of addresses that nothing happened to since, and of earlier days',
};

const state =
  'estimated rewards, balances of L1 validators and subnet metrics are missing until the state of stakers is taken from the node, at its newest block';
const days = 'subnet metrics are missing up to the day on which the state of stakers was taken from the node';

/** What a node must have that gives the past of a stream. */
const givers: Readonly<Record<EvmStream, string>> = {
  internals: 'one that keeps the state of the past ("pruning-enabled": false)',
  logs: 'one that has all blocks ("state-sync-enabled": false)',
  balances: 'one that keeps the state of the past ("pruning-enabled": false)',
};

/** What fills the past of a stream later, for people; null where only another database does. */
function fillsPast(name: PipelineName | StreamName): string | null {
  const stream = evmStreams.find((each) => each === streamOf(name));
  return stream === undefined
    ? null
    : `moraine follow ADDRESS --from ${name}=0 fills them, from ${givers[stream]}`;
}

/** Where a chain goes on, for the log. */
export function beginningInWords({ name, first, next, firstParent }: Watermark, head: bigint): string {
  const newest = head < 0n ? 'there is none yet' : `the newest one is ${head.toLocaleString('en')}`;
  const lacks = firstParent === null ? missingBefore(name, first, false) : null;
  return `${name}: from block ${next.toLocaleString('en')} on; ${newest}${lacks === null ? '' : `; ${lacks}`}`;
}

/** Whether accounts of a chain's genesis are missing, as the memo of its balances says. */
export const lacksGenesis = (memo: Memo | null): boolean => memo?.['lacksGenesis'] === true;

/** The same for people; null for none. */
export const missingOfGenesis = (memo: Memo | null): string | null =>
  lacksGenesis(memo)
    ? 'not all accounts of the genesis are known: balances of those that nothing happened to since are missing'
    : null;

/**
 * What is not stored of a chain that was begun in the middle, for people.
 *
 * @param first the block with which it was begun
 * @param knowsStakers whether the state of stakers is known by now
 */
export function missingBefore(
  name: PipelineName | StreamName,
  first: bigint | 'now',
  knowsStakers: boolean,
): string | null {
  if (first === 0n) return null;
  const stream = streamOf(name);
  const place = first === 'now' ? 'the next block' : `block ${first.toLocaleString('en')}`;
  const more = stream !== 'p' ? '' : `; ${knowsStakers ? days : state}`;
  const fill = fillsPast(name);
  return `begun with ${place}: of earlier ones are missing ${missing[stream]}${more}${fill === null ? '' : `; ${fill}`}`;
}
