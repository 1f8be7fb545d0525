import { heldEveryDay } from '../../evm-holding/holders.js';
import { nftHolding } from '../../evm-holding/holding.js';
import { defineSubQuery } from '../sub-query.js';
import { checkNftDays, nftDays, nftForms, nftParameters } from './nft-days.js';

export const allTimeNftHolders = defineSubQuery({
  type: 'AllTimeNftHolders',
  description:
    'Addresses that held at least one NFT of a collection on every day of the range, which is given as firstDate and lastDate or as startTs and endTs.',
  parameters: nftParameters,
  forms: nftForms,
  check: checkNftDays,
  resolve: (values) =>
    heldEveryDay(nftHolding(values.evmChainId, values.contractAddress), nftDays(values), 1n),
});
