import type { Network } from '../../avalanche/networks.js';
import type { NodeOf } from '../../fields/field.js';
import type { assetFields } from './fields.js';

/** An asset as resolvers see it. */
export type AssetNode = NodeOf<typeof assetFields> & { network: Network };
