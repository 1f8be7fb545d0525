import type { Network } from '../../avalanche/networks.js';
import type { Database } from '../../storage/prisma.js';
import { archiveCounts, type ArchiveCounts } from '../archive/counts.js';

/** What archives gave since the beginning. */
export interface Archived {
  readonly network: Network;
  readonly archives: ArchiveCounts;
}

/** Of each network that has followed chains with archives. */
export async function readArchived({ followRequest }: Pick<Database, 'followRequest'>): Promise<Archived[]> {
  const rows = await followRequest.findMany({ where: { method: { startsWith: 'archive_' } } });
  const counted = rows.map(({ count, ...row }) => ({ ...row, count: Number(count) }));
  return [...new Set(counted.map(({ network }) => network))].flatMap((network) => {
    const archives = archiveCounts(counted.filter((row) => row.network === network));
    return archives === null ? [] : [{ network, archives }];
  });
}
