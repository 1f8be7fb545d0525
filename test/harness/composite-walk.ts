import { expect } from 'vitest';
import type { Storage } from '../../src/storage/open.js';
import { addressOf, dateOf, type CompositePage } from './composite.js';
import { importRows } from './import-rows.js';
import { askOnce } from './several-processes.js';

const CHAIN = 4242;

/**
 * Walks over the pages of a composite query at a gateway of several processes, each page read from the next
 * process.
 */
export interface CompositeWalks {
  /** Imports native balances, each of an address by its number. */
  balances: (rows: [address: number, balance: number][]) => Promise<unknown>;
  /** A page of the addresses with at least `least`. */
  page: (least: number, pageToken?: string) => Promise<{ status: number; body: CompositePage }>;
  /** The addresses of all pages; `between` runs after the first one. */
  walk: (least: number, between?: () => Promise<unknown>) => Promise<number[]>;
}

/** @param storage of the database that the gateway serves */
export function compositeWalks(storage: Storage, url: string): CompositeWalks {
  async function page(least: number, pageToken?: string): Promise<{ status: number; body: CompositePage }> {
    const { status, text } = await askOnce(`${url}/v2/lookingGlass/compositeQuery`, {
      body: { ...query(least), pageSize: 2, pageToken },
    });
    return { status, body: JSON.parse(text) as CompositePage };
  }

  return {
    page,
    balances: (rows) =>
      importRows(
        storage,
        `evm.${CHAIN}.native-balances`,
        rows.map(([address, balance]) => ({
          date: dateOf(1),
          address: addressOf(address),
          balance: String(balance),
        })),
      ),
    async walk(least, between = () => Promise.resolve()) {
      const found: number[] = [];
      for (let token: string | undefined; ;) {
        const { status, body } = await page(least, token);
        expect([status, body.message]).toEqual([200, undefined]);
        if (token === undefined) await between();
        found.push(...body.addresses.map(Number));
        token = body.nextPageToken;
        if (token === undefined) return found;
      }
    },
  };
}

/** Addresses with at least `least`, and in addition those with at least 1 of a token that nobody owns. */
const query = (least: number) => ({
  operator: 'OR',
  queries: [
    { type: 'LatestBalance', id: 'a', minBalance: String(least), tokenType: 'NATIVE' },
    { type: 'LatestBalance', id: 'b', minBalance: '1', tokenType: 'ERC20', contractAddress: addressOf(9) },
  ].map(({ type, id, ...params }) => ({ id, type, params: { evmChainId: String(CHAIN), ...params } })),
});
