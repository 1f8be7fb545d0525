import { rowLoader } from '../../graphql/row-loader.js';
import { findVertices } from './list.js';
import { toVertexNode } from './row.js';

/** Vertices by network and hash; null for one that is not stored. */
export const vertexLoader = rowLoader(
  findVertices,
  toVertexNode,
  ({ network, vertexHash }) => `${network}:${vertexHash}`,
);
