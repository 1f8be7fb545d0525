import type { SubQueryType } from '../sub-query.js';
import { allTimeErc20Balance } from './all-time-erc20-balance.js';
import { allTimeNativeBalance } from './all-time-native-balance.js';
import { allTimeNftHolders } from './all-time-nft-holders.js';
import { anyTimeErc20Balance } from './any-time-erc20-balance.js';
import { anyTimeNativeBalance } from './any-time-native-balance.js';
import { anyTimeNftHolders } from './any-time-nft-holders.js';
import { latestBalance } from './latest-balance.js';

/** Every type of sub-query. Another one is a file in this folder and a line here. */
export const subQueryTypes: readonly SubQueryType[] = [
  allTimeNativeBalance,
  anyTimeNativeBalance,
  allTimeErc20Balance,
  anyTimeErc20Balance,
  allTimeNftHolders,
  anyTimeNftHolders,
  latestBalance,
];
