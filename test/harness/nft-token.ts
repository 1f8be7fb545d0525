import type { NftToken, PrismaClient } from '../../src/generated/prisma/client.js';
import type { Token } from '../../src/jobs/metadata/contract.js';

/** The token's row, whatever it shows to callers; null when it is not held. */
export function findToken(
  prisma: PrismaClient,
  { evmChainId, address, tokenId }: Token,
): Promise<NftToken | null> {
  const key = {
    evmChainId,
    address: new Uint8Array(Buffer.from(address.slice(2), 'hex')),
    tokenId: tokenId.toString(),
  };
  return prisma.nftToken.findUnique({ where: { evmChainId_address_tokenId: key } });
}
