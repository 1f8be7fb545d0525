import type { ListedRow } from '../../src/lists/list.js';
import type { List } from '../../src/lists/read.js';
import type { PageRequest } from '../../src/paging/page-request.js';
import type { Storage } from '../../src/storage/open.js';
import { evmLists } from './evm-lists.js';
import { ledgerLists } from './ledger-lists.js';
import { namedLists } from './named-lists.js';

/** What a cursor says of a row. */
export type Listed = Pick<ListedRow, 'id' | 'mark'>;

/** A list under certain values of its filters, and in an order. */
export interface ListCase {
  /** The list's name, with which checkComplete finds missing lists. */
  list: string;
  /** Its part of the title. */
  asked: string;
  read: (storage: Storage, request: PageRequest) => Promise<Listed[]>;
}

export function ask<Query>(list: List<Query, unknown>, asked: string, query: NoInfer<Query>): ListCase {
  return { list: list.name, asked, read: (storage, request) => list.read(storage, query, request) };
}

/** Lists that cannot have so many rows, and what bounds them. */
export const bounded: Readonly<Record<string, string>> = {
  evm_daily_balances: 'a year of days is asked for at most',
  balance_days: 'a year of days is asked for at most',
  subnet_metric: 'a row a day',
  l1_metric: 'a row a day',
  node_metric: 'a row a day',
  validation_metric: 'a row a day',
  network_days: 'a row a day',
  message_days: 'a row a day',
  transaction_vertices: 'the vertices that name one transaction',
  vertex_parents: 'what one vertex names',
  vertex_children: 'the vertices that name one vertex',
  vertex_transactions: 'what one vertex names',
};

/** @param hot an address that has outputs and transactions */
export function allLists(hot: string): ListCase[] {
  return [...ledgerLists(hot), ...namedLists(hot), ...evmLists()];
}

/** @throws Error for a list of the gateway that is neither measured nor bounded */
export async function checkComplete(asked: readonly ListCase[], files: readonly string[]): Promise<void> {
  const known = new Set([...asked.map(({ list }) => list), ...Object.keys(bounded)]);
  for (const file of files) {
    const exported = (await import(`../../src/resources/${file}`)) as Record<string, unknown>;
    for (const each of Object.values(exported)) {
      const isList = typeof each === 'object' && each !== null && 'readBatch' in each && 'name' in each;
      if (isList && !known.has(String(each.name)))
        throw new Error(`the list ${String(each.name)} of ${file} is not measured`);
    }
  }
}
