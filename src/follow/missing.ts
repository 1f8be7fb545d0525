import { streamOf, type Memo, type PipelineName } from './pipeline.js';
import type { StreamName } from '../config/follow-settings.js';

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
  name: PipelineName,
  first: bigint | 'now',
  knowsStakers: boolean,
): string | null {
  if (first === 0n) return null;
  const stream = streamOf(name);
  const place = first === 'now' ? 'the next block' : `block ${first.toLocaleString('en')}`;
  const more = stream !== 'p' ? '' : `; ${knowsStakers ? days : state}`;
  return `begun with ${place}: of earlier ones are missing ${missing[stream]}${more}`;
}
