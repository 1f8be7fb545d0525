import { rowLoader } from '../../graphql/row-loader.js';
import {
  findCollections,
  findDocuments,
  findMetadata,
  findNftTokens,
  nameOfCollection,
  nameOfToken,
} from './list.js';

/** Tokens by chain, contract and id; null for one that is not stored. */
export const nftTokenLoader = rowLoader(findNftTokens, (token) => token, nameOfToken);

/** What was read of tokens, by their row ids; null for one without metadata. */
export const nftMetadataLoader = rowLoader(findMetadata, (metadata) => metadata, String);

/** Documents as they were read, by the row ids of their tokens; up to 1 MB each. */
export const nftDocumentLoader = rowLoader(findDocuments, ({ rawMetadata }) => rawMetadata, String);

/** Collections by chain and contract; null for one of which nothing is stored. */
export const collectionLoader = rowLoader(findCollections, (collection) => collection, nameOfCollection);
