import type { Network } from '../../avalanche/networks.js';
import { stakerTable } from '../../state/staking.js';
import type { Database } from '../../storage/prisma.js';
import type { PresentState } from './present.js';

const KEEP = `UPDATE ${stakerTable.name} f SET uptime = said.uptime
  FROM unnest($2::text[], $3::text[]::numeric[]) said(tx_id, uptime)
  WHERE f.network = $1::network AND f.tx_id = said.tx_id AND f.uptime IS DISTINCT FROM said.uptime`;

/**
 * Stores how long a node has seen each validator online, itself too. It says that of now alone, and of those
 * subnets alone that it tracks.
 */
export async function keepUptimes(
  prisma: Pick<Database, '$executeRawUnsafe'>,
  network: Network,
  { validators }: PresentState,
): Promise<void> {
  const said = [...validators.values()].flat();
  await prisma.$executeRawUnsafe(
    KEEP,
    network,
    said.map(({ id }) => id),
    said.map(({ uptime }) => uptime),
  );
}
