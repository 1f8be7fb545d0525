import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The name of clusters until they are complete; followed by six random characters. */
export const clusterDraft = 'postgres-init-';

/**
 * The start of the name of a copy of the programs; their version follows, and for a draft a dot and six such
 * characters.
 */
export const programsCopy = 'postgresql-';

const draftName = new RegExp(`^(${clusterDraft}|${programsCopy}[\\d.]+\\.)[A-Za-z0-9]{6}$`);

/** Far longer than making one takes, milliseconds. Younger ones may belong to a start that still runs. */
const OLD_MS = 3_600_000;

/** Removes the drafts that killed first starts left in a folder: 40 to 60 MB each. */
export async function sweepDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!draftName.test(name)) continue;
    const path = join(folder, name);
    const changed = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      // Its maker, or another start, has just removed it.
      () => Infinity,
    );
    if (Date.now() - changed > OLD_MS) await rm(path, { recursive: true, force: true });
  }
}
