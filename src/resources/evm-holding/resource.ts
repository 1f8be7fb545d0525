import type { Resource } from '../../resource.js';
import { evmChainsTag } from '../chain/resource.js';
import { erc20BalanceExport, nativeBalanceExport, nftHoldingExport } from './export.js';
import {
  erc20BalanceImport,
  nativeBalanceDailyImport,
  nativeBalanceImport,
  nftHoldingImport,
} from './import.js';
import { balanceRoutes } from './rest.js';

export const evmHolding: Resource = {
  rest: { tag: evmChainsTag, routes: balanceRoutes },
  files: [nativeBalanceImport, erc20BalanceImport, nftHoldingImport, nativeBalanceDailyImport],
  exports: [nativeBalanceExport, erc20BalanceExport, nftHoldingExport],
  onWorker: ['evm_holding', 'evm_holding_version', 'evm_balance', 'evm_address'],
  counted: { table: 'evm_address', label: 'EVM addresses' },
};
