import type { NftToken } from '../../src/generated/prisma/client.js';
import type { NftTokenKey } from '../../src/resources/nft/key.js';
import type { Database } from '../../src/storage/prisma.js';

/** The token's row, whatever it shows to callers; null when it is not stored. */
export function findToken(
  prisma: Pick<Database, 'nftToken'>,
  { evmChainId, address, tokenId }: NftTokenKey,
): Promise<NftToken | null> {
  const key = {
    evmChainId,
    address: new Uint8Array(Buffer.from(address.slice(2), 'hex')),
    tokenId: tokenId.toString(),
  };
  return prisma.nftToken.findUnique({ where: { evmChainId_address_tokenId: key } });
}
