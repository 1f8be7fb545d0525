import { choice, digits, evmAddress, is, object, text, whole } from '../../fields/field.js';
import type { GetNftTokenQuery } from '../../generated/graphql/graphql.js';
import { shapeText, type Shape } from '../../rest/shape.js';

type Token = NonNullable<GetNftTokenQuery['nftToken']>;

const ercTypes = ['ERC-721', 'ERC-1155'] as const;
const of1155 = 'of ERC-1155';
const is1155 = ({ metadata, owner }: Token) => (metadata ? metadata.standard === 'ERC_1155' : owner === null);
export const ercTypeOf = (token: Token) => ercTypes[Number(is1155(token))]!;

/** JSON of the traits, under the names of the standard. */
const traitsOf = ({ metadata }: Token) =>
  metadata &&
  JSON.stringify(
    metadata.attributes.map(({ traitType, value, displayType }) => ({
      trait_type: traitType ?? undefined,
      value: value ?? undefined,
      display_type: displayType ?? undefined,
    })),
  );

export const metadataShape: Shape<Token> = {
  indexStatus: {
    ...is(
      choice('', ['INDEXED', 'UNINDEXED', 'UNKNOWN']),
      'INDEXED if metadata was read, UNKNOWN if it could not be read, else UNINDEXED',
    ),
    of: ({ metadata, metadataStatus }) =>
      metadata ? 'INDEXED' : metadataStatus === 'FAILED' ? 'UNKNOWN' : 'UNINDEXED',
  },
  metadataLastUpdatedTimestamp: {
    ...is(whole, 'When it was read, Unix seconds', 'where it was not'),
    of: ({ metadata }) => metadata?.fetchedAt,
  },
  name: { ...is(text, 'Name of the token', 'where unknown'), of: ({ metadata }) => metadata?.name },
  description: {
    ...is(text, 'Description', 'where unknown'),
    of: ({ metadata }) => metadata?.description,
  },
  imageUri: {
    ...is(text, 'Address of the image, or the image itself', 'where unknown'),
    of: ({ metadata }) => metadata?.image,
  },
  attributes: {
    ...is(text, 'JSON of the list of traits', `where unknown, and ${of1155}`),
    of: (token) => (is1155(token) ? null : traitsOf(token)),
  },
};

/** A token as REST has it. */
export const tokenShape: Shape<Token> = {
  address: { ...is(evmAddress, 'Contract of the collection, hex'), of: (token) => token.address },
  name: {
    ...is(text, 'Empty: names of collections are not indexed', of1155),
    of: (token) => (is1155(token) ? null : ''),
  },
  symbol: {
    ...is(text, 'Empty: symbols of collections are not indexed', of1155),
    of: (token) => (is1155(token) ? null : ''),
  },
  ercType: {
    ...is(choice('', ercTypes), 'Its standard; without metadata that of one with a known owner is ERC-721'),
    of: ercTypeOf,
  },
  tokenId: { ...is(digits, 'Id within the collection'), of: (token) => token.tokenId },
  tokenUri: {
    ...is(text, 'Address of the metadata; empty until it was read'),
    of: ({ metadata }) => metadata?.address ?? '',
  },
  metadata: {
    ...is(object<object>('NftTokenMetadata'), 'Its metadata'),
    of: (token) => shapeText(metadataShape, token),
  },
  ownerAddress: {
    ...is(evmAddress, 'Its owner, hex', `where unknown, of a burned token, and ${of1155}`),
    of: (token) => token.owner,
  },
};
