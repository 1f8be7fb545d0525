import type { Resource } from '../../resource.js';
import type { Tag } from '../../rest/openapi/document.js';
import { compositeRoutes } from './rest.js';

export const metricsTag: Tag = {
  name: 'Metrics',
  description: 'Composite queries of addresses, and metrics of subnets.',
};

export const compositeQuery: Resource = {
  rest: { tag: metricsTag, routes: compositeRoutes },
  example: `# Who held a balance on every day and an NFT on some day
query CompositeQuery {
  compositeQuery(
    operator: AND
    first: 10
    queries: [
      {
        allTimeNativeBalance: {
          id: "balance"
          evmChainId: "43113"
          firstDate: "2026-10-01"
          lastDate: "2026-10-30"
          minBalance: "10000000000000000"
        }
      }
      {
        anyTimeNftHolders: {
          id: "nft"
          evmChainId: "43113"
          contractAddress: "0x1C17F1568D8d5159e8A8662284203FCf2f19F8c6"
          firstDate: "2026-10-01"
          lastDate: "2026-10-30"
        }
      }
    ]
  ) {
    nodes
    totalCount
    subQueryCounts {
      id
      count
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
`,
};
