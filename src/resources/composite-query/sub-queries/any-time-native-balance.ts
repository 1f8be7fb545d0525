import { heldSomeDay } from '../../evm-holding/holders.js';
import { coin } from '../../evm-holding/holding.js';
import { dates, dayRange, evmChainId, minBalance } from '../parameter.js';
import { defineSubQuery } from '../sub-query.js';

export const anyTimeNativeBalance = defineSubQuery({
  type: 'AnyTimeNativeBalance',
  description: "Held at least minBalance of the chain's coin on some day of the range.",
  parameters: { evmChainId, ...dates, minBalance },
  resolve: ({ evmChainId, firstDate, lastDate, minBalance }) =>
    heldSomeDay(coin(evmChainId), dayRange(firstDate, lastDate), minBalance),
});
