import { heldSomeDay } from '../../evm-holding/holders.js';
import { token } from '../../evm-holding/holding.js';
import { contractAddress, dates, dayRange, evmChainId, minBalance } from '../parameter.js';
import { defineSubQuery } from '../sub-query.js';

export const anyTimeErc20Balance = defineSubQuery({
  type: 'AnyTimeErc20Balance',
  description: 'Held at least minBalance of a token on some day of the range.',
  parameters: { evmChainId, contractAddress, ...dates, minBalance },
  resolve: ({ evmChainId, contractAddress, firstDate, lastDate, minBalance }) =>
    heldSomeDay(token(evmChainId, contractAddress), dayRange(firstDate, lastDate), minBalance),
});
