import type { Logger } from 'pino';
import { adoptIdentities, type NetworkIdentity } from '../avalanche/identity.js';
import { blockchainIds, type Network } from '../avalanche/networks.js';
import type { FollowNetwork } from '../generated/prisma/client.js';
import type { Database } from './prisma.js';

/** How often a process asks whether a follower has given fuji another identity, milliseconds. */
const LEARN_MS = 2000;

/** The identity of a network whose node is followed. */
export function storedIdentity(row: Omit<FollowNetwork, 'genesis'>): NetworkIdentity {
  return {
    networkId: row.networkId,
    hrp: row.hrp,
    blockchainIds: { p: blockchainIds[row.network].p, x: row.xChainId, c: row.cChainId },
    nativeAssetId: row.avaxAssetId,
    evmChainId: row.cEvmChainId,
  };
}

/**
 * Makes the identities of a database's networks those of this process.
 *
 * @returns whether fuji's is among them, which then does not change any more
 * @throws what Prisma throws
 */
export async function adoptStoredIdentities({
  followNetwork,
}: Pick<Database, 'followNetwork'>): Promise<boolean> {
  const own: Partial<Record<Network, NetworkIdentity>> = {};
  for (const row of await followNetwork.findMany()) own[row.network] = storedIdentity(row);
  adoptIdentities(own);
  return own.fuji !== undefined;
}

/**
 * Adopts the identity of fuji some seconds after a follower, in this process or another one, has first stored
 * it.
 *
 * @returns ends the watch
 */
export function learnIdentities({ prisma }: { readonly prisma: Database }, log: Logger): () => void {
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const look = async () => {
    const known = await adoptStoredIdentities(prisma).catch((error: unknown) => {
      log.debug({ err: error }, 'the networks of the database could not be read');
      return false;
    });
    if (!known && !ended) wait();
  };
  // One look at a time: the next begins after the one before.
  const wait = () => (timer = setTimeout(() => void look(), LEARN_MS).unref());
  wait();
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}
