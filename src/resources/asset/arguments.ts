import type { ArgumentValues } from '../../arguments/argument.js';
import { blockchainArgument, idArgument, networkArgument } from '../../arguments/common.js';

/** The arguments of an asset. */
export const assetArguments = {
  network: networkArgument('Network of the asset.'),
  assetId: idArgument('Id of the asset, CB58.'),
};

/** The arguments of the assets of a network. */
export const assetListArguments = { network: networkArgument('Network of the assets.') };

/** The arguments of the holders of an asset. */
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
