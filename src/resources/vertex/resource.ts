import type { Resource } from '../../resource.js';
import { primaryNetworkTag } from '../utxo/resource.js';
import { vertexExport } from './export.js';
import { vertexImport } from './import.js';
import { vertexRoutes } from './rest.js';

export const vertex: Resource = {
  rest: { tag: primaryNetworkTag, routes: vertexRoutes },
  files: [vertexImport],
  exports: [vertexExport],
  pagedTable: 'vertex',
  counted: { table: 'vertex', label: 'X-chain vertices' },
  example: `# The newest vertices of the X-chain, with their transactions
query Vertices {
  vertices(network: fuji, first: 3) {
    nodes {
      vertexHash
      vertexHeight
      vertexTimestamp
      transactions(first: 3) {
        nodes {
          txHash
          txType
        }
      }
    }
  }
}
`,
};
