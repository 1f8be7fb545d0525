import { statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';

/** Several times what the log of writes and the largest tables of the files that run at once take, bytes. */
const ROOM = 6 * 2 ** 30;
const MEMORY_FOLDER = '/dev/shm';

/**
 * The folder of the tests' databases: in memory if there is room. A tenth of a run's time is for making and
 * removing their files, and making a cluster there takes two thirds of the processor time. Programs cannot be
 * run there everywhere.
 */
export async function roomyFolder(): Promise<string> {
  const { bavail, bsize } = await statfs(MEMORY_FOLDER).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize > ROOM && freemem() > 2 * ROOM ? MEMORY_FOLDER : tmpdir();
}
