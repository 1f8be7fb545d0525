import { link, mkdir, mkdtemp, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ExportError } from './errors.js';

/** A folder in which files appear together, when all of them are complete. */
export interface Target {
  /** Where a file is written until then. */
  draft: (name: string) => string;
  /** @throws ExportError when the folder has a file of this name that is not empty */
  check: (name: string) => Promise<void>;
  /** Gives the drafts of these names their final names; never over a file that is not empty. */
  publish: (names: readonly string[]) => Promise<void>;
  /** Removes what was not published. */
  discard: () => Promise<void>;
}

/**
 * @param secret if the folder is made here, only its owner may read it
 * @throws ExportError when the folder cannot be written
 */
export async function openTarget(folder: string, secret: boolean): Promise<Target> {
  // A separate folder next to them: `import folder/*` never finds half a file, not even after a power cut.
  const drafts = await mkdir(folder, { recursive: true, mode: secret ? 0o700 : 0o777 })
    .then(() => mkdtemp(join(folder, '.export-')))
    .catch((error: Error) => {
      throw new ExportError(`${folder} cannot be written: ${error.message}`, { cause: error });
    });
  const draft = (name: string) => join(drafts, name);

  async function check(name: string): Promise<void> {
    const found = await stat(join(folder, name)).catch(() => null);
    if (found && !(found.isFile() && found.size === 0))
      throw new ExportError(
        `${join(folder, name)} exists already and would be overwritten; name another folder, or remove it first`,
      );
  }

  async function publish(names: readonly string[]): Promise<void> {
    for (const name of names) await settle(draft(name));
    for (const name of names) await check(name);
    for (const name of names) await moveInto(draft(name), join(folder, name));
    await settle(folder);
  }

  const discard = () => rm(drafts, { recursive: true, force: true });
  return { draft, check, publish, discard };
}

/** Waits until the disk has written it. */
async function settle(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } catch (error) {
    // Some file systems cannot do this for folders.
    if (!['EINVAL', 'EPERM', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    await file.close();
  }
}

// A link, unlike a rename, fails if another process has made a file of this name meanwhile.
async function moveInto(from: string, to: string): Promise<void> {
  const found = await stat(to).catch(() => null);
  if (found?.size === 0) await rm(to);
  try {
    await link(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new ExportError(`${to} was created by another process meanwhile`);
    await rename(from, to);
  }
}
