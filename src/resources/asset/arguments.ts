import type { ArgumentValues } from '../../arguments/argument.js';
import { blockchainArgument, idArgument, networkArgument } from '../../arguments/common.js';

export const assetArguments = {
  network: networkArgument('Network of the asset.'),
  assetId: idArgument('Id of the asset, CB58.'),
};

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
