import type { ArgumentValues } from '../../arguments/argument.js';
import { blockchainArgument, idArgument, networkArgument } from '../../arguments/common.js';

/** What an asset is asked for by. */
export const assetArguments = {
  network: networkArgument('Network of the asset.'),
  assetId: idArgument('Id of the asset, CB58.'),
};

/** What the assets of a network are asked for by. */
export const assetListArguments = { network: networkArgument('Network of the assets.') };

/** What the holders of an asset are asked for by. */
export const holderArguments = {
  ...assetArguments,
  blockchainId: blockchainArgument(
    ['p', 'x', 'c'],
    "Chain whose list of outputs counts: p-chain, x-chain or c-chain, or the id of that blockchain on the asset's network. Assets other than AVAX exist only on the X-chain.",
    { default: 'x-chain' },
  ),
};

/** The holders of an asset on a chain. */
export type AssetHolderQuery = ArgumentValues<typeof holderArguments>;
