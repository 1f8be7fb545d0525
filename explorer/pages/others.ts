/** The pages that few visits begin with: a file of their own, which is loaded with the first of them. */
export { AssetPage } from './asset.js';
export { AssetsPage } from './assets.js';
export { BlockchainPage } from './blockchain.js';
export { BlocksPage } from './blocks.js';
export { CompositePage } from './composite.js';
export { EvmChainsPage, MessagesPage, VerticesPage } from './directory.js';
export { EvmChainPage } from './evm.js';
export { EvmAddressPage } from './evm-address.js';
export { EvmTransactionPage } from './evm-transaction.js';
export { L1ValidatorPage } from './l1-validator.js';
export { L1ValidatorsPage } from './l1-validators.js';
export { MessagePage } from './message.js';
export { NftCollectionPage, NftTokenPage } from './nft.js';
export { StatusPage } from './status.js';
export { SubnetPage } from './subnet.js';
export { SubnetsPage } from './subnets.js';
export { TransactionsPage } from './transactions.js';
export { ValidatorPage } from './validator.js';
export { ValidatorsPage } from './validators.js';
export { VertexPage } from './vertex.js';
// Parts of pages of other files that few look at (part.tsx).
export { AddressBalances } from '../components/address-balances.js';
export { AddressOutputs } from '../components/address-outputs.js';
export { AddressStakes } from '../components/address-stakes.js';
export { ChangedValidators } from '../components/changed-validators.js';
export { Genesis } from '../components/genesis.js';
export { SubnetRules } from '../components/subnet-rules.js';
