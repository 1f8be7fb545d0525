import { heldEveryDay } from '../../evm-holding/holders.js';
import { coin } from '../../evm-holding/holding.js';
import { dates, dayRange, evmChainId, minBalance } from '../parameter.js';
import { defineSubQuery } from '../sub-query.js';

export const allTimeNativeBalance = defineSubQuery({
  type: 'AllTimeNativeBalance',
  description: "Held at least minBalance of the chain's coin on every day of the range.",
  parameters: { evmChainId, ...dates, minBalance },
  resolve: ({ evmChainId, firstDate, lastDate, minBalance }) =>
    heldEveryDay(coin(evmChainId), dayRange(firstDate, lastDate), minBalance),
});
