import type { TestApp } from './app.js';
import { makeKey } from './keys.js';

const endless = { requests: 1e9, seconds: 86_400, perDay: null };
const calls = { calls: 2, seconds: 7200 };
const limited = [
  'Query.transactions',
  'Query.utxos',
  'Query.chains',
  'Query.validators',
  'TransactionConnection.nodes',
  'UtxoConnection.nodes',
  'UtxoConnection.totalCount',
  'Transaction.emittedUtxos',
  'Transaction.consumedUtxos',
];
export const plans = {
  anonymous: endless,
  endless,
  /**
   * For long documents: the first caller pays for the length, the second does not, so their limits differ
   * afterwards.
   */
  long: endless,
  small: { requests: 8, seconds: 180, perDay: null },
  fields: {
    ...endless,
    fields: Object.fromEntries(limited.map((field) => [field, calls])),
  },
};
export type Plan = keyof typeof plans;

/** What a caller sends with its requests. */
type Sent = Record<string, string>;
/**
 * Callers of each plan. Both send the same requests at the same times by a clock that stands still meanwhile,
 * the first one with documents that are new: so that whatever is counted, of limits too, is equal as well.
 */
export type Twins = readonly [first: Sent, second: Sent];

/**
 * Callers who share nothing, two of each plan. The gateway has to have these plans, and to trust 127.0.0.1 as
 * a proxy.
 */
export async function twinCallers(gateway: TestApp): Promise<Record<Plan, Twins>> {
  const key = async (plan: Plan) => ({ 'x-service-api-key': (await makeKey(gateway, plan)).key });
  const keys = async (plan: Plan) => [await key(plan), await key(plan)] as const;
  return {
    anonymous: [{ 'x-forwarded-for': '192.0.2.1' }, { 'x-forwarded-for': '192.0.2.2' }],
    endless: await keys('endless'),
    long: await keys('long'),
    small: await keys('small'),
    fields: await keys('fields'),
  };
}
