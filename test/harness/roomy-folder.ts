import { statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';

/** Several times what the log of writes and the largest tables of the files that run at once take, bytes. */
const ROOM = 6 * 2 ** 30;
const MEMORY_FOLDER = '/dev/shm';

/**
 * Where databases of tests lie: in memory, where there is room. A tenth of a run's time goes to making and removing
 * their files, and a cluster is made there in two thirds of the processor time. Programs may not run there everywhere.
 */
export async function roomyFolder(): Promise<string> {
  const { bavail, bsize } = await statfs(MEMORY_FOLDER).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize > ROOM && freemem() > 2 * ROOM ? MEMORY_FOLDER : tmpdir();
}
