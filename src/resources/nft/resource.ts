import type { Resource } from '../../resource.js';
import { nftTokenExport } from './export.js';
import { nftTokenImport } from './import.js';
import { nftRoutes } from './rest.js';

export const nft: Resource = {
  rest: { tag: { name: 'NFTs', description: 'Metadata of NFT tokens.' }, routes: nftRoutes },
  files: [nftTokenImport],
  exports: [nftTokenExport],
  pagedTable: 'nft_token',
  counted: { table: 'nft_token', label: 'NFT tokens' },
  example: `# NFTs of a collection, with their metadata and when they can be reindexed
query NftTokens {
  nftTokens(
    chainId: "43113"
    address: "0x1C17F1568D8d5159e8A8662284203FCf2f19F8c6"
    first: 3
  ) {
    nodes {
      tokenId
      owner
      metadataStatus
      metadata {
        name
        image
      }
      nextReindexAt
    }
  }
}
`,
};
