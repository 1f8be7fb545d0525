import { heldSomeDay } from '../../evm-holding/holders.js';
import { nativeHolding } from '../../evm-holding/holding.js';
import { checkDates, dates, evmChainId, minBalance } from '../parameter.js';
import { defineSubQuery } from '../sub-query.js';

export const anyTimeNativeBalance = defineSubQuery({
  type: 'AnyTimeNativeBalance',
  description: "Addresses that held at least minBalance of the chain's coin on some day of the range.",
  parameters: { evmChainId, ...dates, minBalance },
  check: checkDates,
  resolve: ({ evmChainId, firstDate, lastDate, minBalance }) =>
    heldSomeDay(nativeHolding(evmChainId), { first: firstDate, last: lastDate }, minBalance),
});
