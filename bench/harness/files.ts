import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Writes rows as a file that `moraine import` reads. @param name without `.ndjson` */
export async function writeRows(folder: string, name: string, rows: Iterable<object>): Promise<string> {
  const path = join(folder, `${name}.ndjson`);
  const file = createWriteStream(path);
  for (const row of rows) if (!file.write(`${JSON.stringify(row)}\n`)) await once(file, 'drain');
  file.end();
  await once(file, 'close');
  return path;
}

/** How fast an import was, rows a second, and the most memory that it took, MiB. */
export interface Imported {
  rate: number;
  memory: number;
}

/**
 * Imports files with a checkout, and returns how fast it was and how much memory it used.
 *
 * @param env the settings that name its database
 * @throws Error when it refused a row
 */
export async function importFiles(
  checkout: string,
  files: readonly string[],
  env: Record<string, string>,
): Promise<Imported> {
  const program = join(checkout, 'bin', 'moraine.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'import', ...files], {
    env: { ...process.env, ...env },
  });
  const [, rate, memory] = / s, ([\d,]+) rows\/s, peak memory (\d+) MiB/.exec(stdout) ?? [];
  if (rate === undefined || !stdout.includes(' 0 rejected')) throw new Error(`the import said: ${stdout}`);
  return { rate: Number(rate.replaceAll(',', '')), memory: Number(memory) };
}
