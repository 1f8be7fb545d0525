import { narrowing, type ArgumentValues, type Narrowing } from '../../arguments/argument.js';
import {
  blockchainArgument,
  choiceArgument,
  idArgument,
  momentArgument,
  networkArgument,
} from '../../arguments/common.js';
import { typeArguments } from '../transaction/arguments.js';

export const assetArguments = {
  network: networkArgument('Network of the asset.'),
  assetId: idArgument('Id of the asset, CB58.'),
};

/** The arguments of the transactions of an asset on the X-chain. */
export const assetTransactionArguments = {
  ...assetArguments,
  ...narrowing({
    txTypes: typeArguments.txTypes,
    since: momentArgument('Only transactions of blocks made at this time or later, Unix seconds.'),
    until: momentArgument('Only transactions of blocks made before this time, Unix seconds.'),
  }),
  sortOrder: choiceArgument('SortOrder', ['asc', 'desc'], 'Direction of the sort by time.', 'desc'),
};
export type AssetTransactionQuery = ArgumentValues<typeof assetTransactionArguments>;
export type AssetTransactionNarrowing = Narrowing<typeof assetTransactionArguments>;

export const assetListArguments = { network: networkArgument('Network of the assets.') };

export const holderArguments = {
  ...assetArguments,
  blockchainId: blockchainArgument(
    ['p', 'x', 'c'],
    "Chain whose list of outputs is summed up: p-chain, x-chain or c-chain, or the id of that blockchain on the asset's network. Assets other than AVAX exist only on the X-chain.",
    { default: 'x-chain' },
  ),
};

/** The holders of an asset on a chain. */
export type AssetHolderQuery = ArgumentValues<typeof holderArguments>;
