import { rowLoader } from '../../graphql/row-loader.js';
import { findIcmMessages } from './list.js';
import { toIcmMessageNode } from './row.js';

/** ICM messages by network and id; null for one that is not stored. */
export const icmMessageLoader = rowLoader(
  findIcmMessages,
  toIcmMessageNode,
  ({ network, messageId }) => `${network}:${messageId}`,
);
