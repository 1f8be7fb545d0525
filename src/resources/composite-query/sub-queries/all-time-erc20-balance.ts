import { heldEveryDay } from '../../evm-holding/holders.js';
import { erc20Holding } from '../../evm-holding/holding.js';
import { checkDates, contractAddress, dates, evmChainId, minBalance } from '../parameter.js';
import { defineSubQuery } from '../sub-query.js';

export const allTimeErc20Balance = defineSubQuery({
  type: 'AllTimeErc20Balance',
  description: 'Addresses that held at least minBalance of a token on every day of the range.',
  parameters: { evmChainId, contractAddress, ...dates, minBalance },
  check: checkDates,
  resolve: ({ evmChainId, contractAddress, firstDate, lastDate, minBalance }) =>
    heldEveryDay(erc20Holding(evmChainId, contractAddress), { first: firstDate, last: lastDate }, minBalance),
});
