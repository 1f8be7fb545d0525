import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newFolder } from './postgres.js';

/** A file system of its own, so small that a test can fill it. */
export interface SmallDisk {
  /** An empty folder on it, which PostgreSQL's account may enter. */
  readonly data: string;
  /** Leaves no room. */
  fill: () => void;
  /** Gives back all that `fill` took. */
  free: () => Promise<void>;
  /** Unmounts and removes it. */
  drop: () => Promise<void>;
}

/** @param megabytes its size */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk> {
  const folder = await newFolder();
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=711`, 'tmpfs', folder]);
  const [data, ballast] = [join(folder, 'data'), join(folder, 'ballast')];
  await mkdir(data);
  await chmod(data, 0o711);
  return {
    data,
    // dd ends when the disk is full; what it wrote stays.
    fill: () => void spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=64k'], { stdio: 'ignore' }),
    free: () => rm(ballast),
    drop: async () => {
      execFileSync('umount', ['-l', folder]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Whether this process may mount such a disk: on Linux, as root. */
export async function canMountSmallDisk(): Promise<boolean> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    const disk = await mountSmallDisk(1);
    await writeFile(join(disk.data, 'x'), 'x');
    await disk.drop();
    return true;
  } catch {
    return false;
  }
}

/** Why tests that need one are skipped: a part of their title. */
export const skippedWithoutMount = (canMount: boolean) =>
  canMount ? '' : ' (skipped: needs root that may mount a tmpfs)';
