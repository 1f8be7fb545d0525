import { assetExport } from '../resources/asset/export.js';
import { chainExport } from '../resources/chain/export.js';
import {
  erc20BalanceExport,
  nativeBalanceExport,
  nftHoldingExport,
} from '../resources/evm-holding/export.js';
import { icmMessageExport } from '../resources/icm-message/export.js';
import { internalTxExport } from '../resources/internal-tx/export.js';
import { nftTokenExport } from '../resources/nft/export.js';
import { subnetMetricExport } from '../resources/subnet-metric/export.js';
import { transactionExport } from '../resources/transaction/export.js';
import { utxoExport } from '../resources/utxo/export.js';
import { vertexExport } from '../resources/vertex/export.js';
import type { ExportKind } from './kind.js';

/** Every kind of file that is exported, in the order in which they are written. */
export const exportKinds: readonly ExportKind[] = [
  assetExport,
  utxoExport,
  transactionExport,
  vertexExport,
  chainExport,
  internalTxExport,
  icmMessageExport,
  nativeBalanceExport,
  erc20BalanceExport,
  nftHoldingExport,
  subnetMetricExport,
  nftTokenExport,
];
