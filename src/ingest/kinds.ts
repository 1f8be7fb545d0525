import { assetImport } from '../resources/asset/import.js';
import { chainImport } from '../resources/chain/import.js';
import { icmMessageImport } from '../resources/icm-message/import.js';
import { internalTxImport } from '../resources/internal-tx/import.js';
import {
  erc20BalanceImport,
  nativeBalanceDailyImport,
  nativeBalanceImport,
  nftHoldingImport,
} from '../resources/evm-holding/import.js';
import { nftTokenImport } from '../resources/nft/import.js';
import { subnetMetricImport } from '../resources/subnet-metric/import.js';
import { transactionImport } from '../resources/transaction/import.js';
import { utxoImport } from '../resources/utxo/import.js';
import { vertexImport } from '../resources/vertex/import.js';
import type { ImportKind } from './kind.js';

/** Every kind of file that can be imported. The only module of ingest/ that knows resources. */
export const importKinds: readonly ImportKind[] = [
  utxoImport,
  transactionImport,
  vertexImport,
  chainImport,
  internalTxImport,
  icmMessageImport,
  nativeBalanceImport,
  erc20BalanceImport,
  nftHoldingImport,
  nativeBalanceDailyImport,
  subnetMetricImport,
  nftTokenImport,
  assetImport,
];
