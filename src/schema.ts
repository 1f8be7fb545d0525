import type { GraphQLSchema } from 'graphql';
import { createBuilder } from './graphql/builder.js';
import { registerEnums } from './graphql/enums.js';
import { registerInternalFields } from './graphql/internal.js';
import { registerServiceConfig } from './graphql/limits/service-config.js';
import { registerRateLimit } from './graphql/rate-limit.js';
import { registerScalars } from './graphql/scalars.js';
import { registerTotalCount } from './graphql/total-count.js';
import { registerAddress } from './resources/address/schema.js';
import { registerAsset } from './resources/asset/schema.js';
import { registerBlock } from './resources/block/schema.js';
import { registerChainStatus } from './resources/chain-status/schema.js';
import { registerChain } from './resources/chain/schema.js';
import { registerEvmHolding } from './resources/evm-holding/schema.js';
import { registerBalanceHistory } from './resources/balance-history/schema.js';
import { registerHistory } from './resources/history/schema.js';
import { registerIcmMessage } from './resources/icm-message/schema.js';
import { registerInternalTx } from './resources/internal-tx/schema.js';
import { registerComposite } from './resources/composite-query/schema.js';
import { registerNetworkStats } from './resources/network-stats/schema.js';
import { registerNft } from './resources/nft/schema.js';
import { registerValidator } from './resources/validator/schema.js';
import { registerSearch } from './resources/search/schema.js';
import { registerSuggestions } from './resources/search/suggestion-schema.js';
import { registerSubnet } from './resources/subnet/schema.js';
import { registerDelegation } from './resources/delegation/schema.js';
import { registerStake } from './resources/stake/schema.js';
import { registerReward } from './resources/reward/schema.js';
import { registerSubnetValidator } from './resources/subnet-validator/schema.js';
import { registerL1Validator } from './resources/l1-validator/schema.js';
import { registerMetric } from './resources/subnet-metric/schema.js';
import { registerTransaction } from './resources/transaction/schema.js';
import { registerUtxo } from './resources/utxo/schema.js';
import { registerLiveTransactions } from './resources/transaction/live-schema.js';
import { registerLiveUtxos } from './resources/utxo/live-schema.js';
import { registerLiveBlocks } from './resources/block/live-schema.js';
import { registerLiveMessages } from './resources/icm-message/live-schema.js';
import { registerLiveFrames } from './resources/internal-tx/live-schema.js';
import { registerLiveChainStatus } from './resources/chain-status/live-schema.js';
import { registerVertex } from './resources/vertex/schema.js';
import { registerWebhook } from './resources/webhook/schema.js';

const resources = [
  registerAsset,
  registerAddress,
  registerUtxo,
  registerTransaction,
  registerBalanceHistory,
  registerHistory,
  registerBlock,
  registerVertex,
  registerChain,
  registerChainStatus,
  registerInternalTx,
  registerIcmMessage,
  registerComposite,
  registerMetric,
  registerSubnet,
  registerValidator,
  registerSubnetValidator,
  registerDelegation,
  registerReward,
  registerStake,
  registerL1Validator,
  registerNetworkStats,
  registerNft,
  registerEvmHolding,
  registerSearch,
  registerSuggestions,
  registerLiveTransactions,
  registerLiveUtxos,
  registerLiveBlocks,
  registerLiveMessages,
  registerLiveFrames,
  registerLiveChainStatus,
  registerWebhook,
];

/** The whole schema, including internal fields: see publicSchema for what clients see. */
export function buildSchema(): GraphQLSchema {
  const builder = createBuilder();
  registerScalars(builder);
  registerEnums(builder);
  registerInternalFields(builder);
  registerRateLimit(builder);
  registerServiceConfig(builder);
  registerTotalCount(builder);
  for (const register of resources) register(builder);
  return builder.toSchema();
}
