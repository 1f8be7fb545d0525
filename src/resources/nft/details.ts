import { choice, digits, evmAddress, is, object, text, whole, type Details } from '../../fields/field.js';
import type { GetNftTokenQuery } from '../../generated/graphql/graphql.js';

const ercTypes = ['ERC-721', 'ERC-1155'] as const;
const of1155 = 'of ERC-1155';
export const publishedMetadata = {
  indexStatus: is(
    choice('', ['INDEXED', 'UNINDEXED', 'UNKNOWN']),
    'INDEXED if metadata was read, UNKNOWN if it could not be read, else UNINDEXED',
  ),
  metadataLastUpdatedTimestamp: is(whole, 'When it was read, Unix seconds', 'where it was not'),
  name: is(text, 'Name of the token', 'where unknown'),
  description: is(text, 'Description', 'where unknown'),
  imageUri: is(text, 'Address of the image, or the image itself', 'where unknown'),
  attributes: is(text, 'JSON of the list of traits', `where unknown, and ${of1155}`),
} satisfies Details;
export const publishedToken = {
  address: is(evmAddress, 'Contract of the collection, hex'),
  ercType: is(
    choice('', ercTypes),
    'Its standard; without metadata that of one with a known owner is ERC-721',
  ),
  tokenId: is(digits, 'Id within the collection'),
  tokenUri: is(text, 'Address of the metadata; empty until it was read'),
  metadata: is(object<object>('NftTokenMetadata'), 'Its metadata'),
  name: is(text, 'Empty: names of collections are not indexed', of1155),
  symbol: is(text, 'Empty: symbols of collections are not indexed', of1155),
  ownerAddress: is(evmAddress, 'Its owner, hex', `where unknown, of a burned token, and ${of1155}`),
} satisfies Details;
type TokenNode = NonNullable<GetNftTokenQuery['nftToken']>;

/** A token as REST has it; JSON leaves out members that are undefined. */
export function publishedTokenOf({ address, tokenId, owner, metadata: read, metadataStatus }: TokenNode) {
  const is1155 = read ? read.standard === 'ERC_1155' : owner === null;
  const traits = read?.attributes.map(({ traitType, value, displayType }) => ({
    trait_type: traitType ?? undefined,
    value: value ?? undefined,
    display_type: displayType ?? undefined,
  }));
  return {
    address,
    ...(!is1155 && { name: '', symbol: '' }),
    ercType: ercTypes[Number(is1155)],
    tokenId,
    tokenUri: read?.address ?? '',
    metadata: {
      indexStatus: read ? 'INDEXED' : metadataStatus === 'FAILED' ? 'UNKNOWN' : 'UNINDEXED',
      metadataLastUpdatedTimestamp: read ? Number(read.fetchedAt) : undefined,
      name: read?.name ?? undefined,
      description: read?.description ?? undefined,
      imageUri: read?.image ?? undefined,
      attributes: traits && !is1155 ? JSON.stringify(traits) : undefined,
    },
    ownerAddress: owner ?? undefined,
  };
}
