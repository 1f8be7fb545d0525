import type { Storage } from '../../src/storage/open.js';
import { measuring, type PlanKind } from '../../test/harness/buffers.js';
import { judge } from '../harness/measures.js';
import { verdict } from '../harness/statistics.js';
import { tableOf } from '../harness/table.js';
import type { ListCase } from './lists.js';

const PAGE_SIZE = 10;
/**
 * Fewer blocks than these are no more with more rows, or on a far page, than levels of indexes and the places
 * of the rows themselves.
 */
export const FEW = 20;
/** The largest accepted growth of the first page of a list from one database to another. */
const WANTED_GROWTH = 2;

/** Lists whose filters pass over rows, and why that is little. */
export const passedOver: Readonly<Record<string, string>> = {
  current_validators:
    'an entry of an index for each validator of a subnet, of which the primary network has some thousands',
  all_validator_stakes: 'those in an order of now are sorted for each page',
  current_l1_validators: 'an entry of an index for each L1 validator that is not removed',
  subnets: 'of a subnet that is an L1 an entry of an index for each of its L1 validators, which are counted',
  chains: 'a row for each EVM chain: with a network or a feature that none has, 134 blocks for 6,000 chains',
};

export const isAsWanted = ({ list, times }: Growth) => times <= WANTED_GROWTH || list in passedOver;

/** The first page of a list in two databases. */
export interface Growth extends Pick<ListCase, 'list' | 'asked'> {
  small: number;
  large: number;
  /** How many times as many blocks for each row of the page, and one. */
  times: number;
}

/** Compares the first page of each list in a database with that in another one of more rows. */
export async function growthOf(
  cases: readonly (readonly [small: ListCase, large: ListCase])[],
  [small, large]: readonly [Storage, Storage],
  plans: readonly PlanKind[],
): Promise<Growth[]> {
  const before = await firstPages(
    small,
    cases.map(([each]) => each),
    plans,
  );
  const after = await firstPages(
    large,
    cases.map(([, each]) => each),
    plans,
  );
  return before.map(({ list, asked, buffers, rows }, index) => {
    const now = after[index] ?? { buffers: NaN, rows: NaN };
    const times = Math.max(FEW, now.buffers) / (now.rows + 1) / (Math.max(FEW, buffers) / (rows + 1));
    return { list, asked, small: buffers, large: now.buffers, times };
  });
}

function firstPages(storage: Storage, cases: readonly ListCase[], plans: readonly PlanKind[]) {
  const request = { direction: 'forward', limit: PAGE_SIZE, after: null, before: null } as const;
  return measuring(storage, async (measure) => {
    const found: { list: string; asked: string; buffers: number; rows: number }[] = [];
    for (const { list, asked, read } of cases)
      for (const plan of plans) {
        const { buffers, rows } = await measure((spy) => read(spy, request), plan).catch((error: unknown) => {
          throw new Error(`${list}: ${asked}: ${(error as Error).message}`, { cause: error });
        });
        found.push({ list, asked, buffers, rows });
      }
    return found;
  });
}

/** The worst of each list. */
function worstOf(found: readonly Growth[]): Growth[] {
  const worst = new Map<string, Growth>();
  for (const each of found) if (each.times > (worst.get(each.list)?.times ?? 0)) worst.set(each.list, each);
  return [...worst.values()];
}

/** What was found, in words and as a table. */
export function tellGrowth(found: readonly Growth[], times: number): boolean {
  const head = [
    'list',
    'its worst set of filters',
    'blocks',
    `of ${times} times the rows`,
    'growth',
    'verdict',
  ];
  const rows = worstOf(found).map((each) => [
    each.list,
    each.asked,
    String(each.small),
    String(each.large),
    each.times.toFixed(2),
    verdict(isAsWanted(each)),
  ]);
  console.log(
    `\nFirst pages of ${found.length} lists and sets of filters in two databases of 1 : ${times}, by rows of the page and one:\n\n${tableOf(head, rows)}\n`,
  );
  for (const [list, why] of Object.entries(passedOver)) console.log(`passes over rows: ${list} (${why})`);
  const bad = found.filter((each) => !isAsWanted(each));
  for (const { list, asked, small, large } of bad)
    console.log(`grows: ${list}: ${asked}: ${small} → ${large}`);
  const worst = Math.max(...found.filter(({ list }) => !(list in passedOver)).map((each) => each.times));
  const judged = judge({
    name: `growth of the blocks of a first page with ${times} times the rows, the worst of all sets of filters`,
    wanted: `at most ${WANTED_GROWTH}`,
    measured: worst.toFixed(2),
    isMet: bad.length === 0,
  });
  console.log(`growth at most ${worst.toFixed(2)}, wanted at most ${WANTED_GROWTH}: ${judged}`);
  return bad.length === 0;
}
