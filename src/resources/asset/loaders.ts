import { rowLoader } from '../../graphql/row-loader.js';
import { findAssets, nameOfAsset } from './store.js';

/** Assets by network and id; null for one that is not stored. */
export const assetLoader = rowLoader(findAssets, (asset) => asset, nameOfAsset);
