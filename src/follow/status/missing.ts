import { evmStreams, type EvmStream, type StreamName } from '../../config/follow-settings.js';
import { streamOf, type Memo, type PipelineName } from '../pipeline.js';
import type { Watermark } from '../watermark.js';

const ledger =
  'earlier transactions are missing; so are earlier outputs until they are spent, and balances that need them';

const missing: Readonly<Record<StreamName, string>> = {
  p: ledger,
  'x-dag': ledger,
  'x-vertices': 'earlier vertices are missing',
  x: ledger,
  'c-atomic': ledger,
  internals: 'earlier internal transactions are missing',
  nfts: 'NFTs without a transfer since are missing',
  messages: 'earlier messages are missing',
  balances: 'balances of earlier days are missing, and of addresses without activity since',
};

const state =
  'estimated rewards, balances of L1 validators and subnet metrics are missing until the state of stakers is taken from the node, at its newest block';
const days = 'subnet metrics are missing up to the day on which the state of stakers was taken from the node';

/** What a node needs to give the past of a stream. */
const givers: Readonly<Record<EvmStream, string>> = {
  internals: 'one that keeps the state of the past ("pruning-enabled": false)',
  nfts: 'one that has all blocks ("state-sync-enabled": false)',
  messages: 'one that has all blocks ("state-sync-enabled": false)',
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
  const missing = firstParent === null ? missingBefore(name, first, false) : null;
  return `${name}: from block ${next.toLocaleString('en')} on; ${newest}${missing === null ? '' : `; ${missing}`}`;
}

/** Whether accounts of a chain's genesis are missing, as the memo of its balances says. */
export const isGenesisMissing = (memo: Memo | null): boolean => memo?.['lacksGenesis'] === true;

/** The same for people; null for none. */
export const missingOfGenesis = (memo: Memo | null): string | null =>
  isGenesisMissing(memo)
    ? 'the genesis accounts are not all known: those without activity have no balance'
    : null;

/**
 * What is missing after a start at a later block, for people.
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
  const begun = first === 'now' ? 'the next block' : `block ${first.toLocaleString('en')}`;
  const more = stream !== 'p' ? '' : `; ${knowsStakers ? days : state}`;
  const fill = fillsPast(name);
  return `started at ${begun}: ${missing[stream]}${more}${fill === null ? '' : `; ${fill}`}`;
}
