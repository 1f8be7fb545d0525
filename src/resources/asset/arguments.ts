import { idArgument, networkArgument } from '../../arguments/common.js';

/** What an asset is asked for by. */
export const assetArguments = {
  network: networkArgument('Network of the asset.'),
  assetId: idArgument('Id of the asset, CB58.'),
};
