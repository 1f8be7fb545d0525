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
};
