import type { Network } from '../../avalanche/networks.js';
import type { Database } from '../../storage/prisma.js';
import type { PipelineName } from '../pipeline.js';

/** A stream that is not followed, because no node offers what it needs. */
export interface LeftOut {
  readonly network: Network;
  readonly name: PipelineName;
  /** For people: why, and what fills it later. */
  readonly note: string;
}

type Table = Pick<Database, 'followLeftOut'>;

/**
 * Notes which streams were left out at the start of a follower.
 *
 * @param names those that it decided on
 * @param notes of those that are left out
 */
export async function noteLeftOut(
  { followLeftOut }: Table,
  network: Network,
  names: readonly PipelineName[],
  notes: ReadonlyMap<PipelineName, string>,
): Promise<void> {
  const data = [...notes].map(([name, note]) => ({ network, name, note }));
  await followLeftOut.deleteMany({ where: { network, name: { in: [...names] } } });
  await followLeftOut.createMany({ data, skipDuplicates: true });
}

export async function readLeftOut({ followLeftOut }: Table): Promise<LeftOut[]> {
  const rows = await followLeftOut.findMany({ orderBy: [{ network: 'asc' }, { name: 'asc' }] });
  return rows.map((row) => ({ ...row, name: row.name as PipelineName }));
}
