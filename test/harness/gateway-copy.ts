import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** What the package installs by itself. */
const parts = ['bin/moraine.mjs', 'dist', 'package.json', 'prisma/migrations'];

/**
 * The compiled gateway in another folder, on the packages of this checkout, for a test to break it.
 *
 * @returns its command line
 */
export function copyGateway(folder: string): string {
  for (const part of parts) {
    mkdirSync(dirname(join(folder, part)), { recursive: true });
    cpSync(join(root, part), join(folder, part), { recursive: true });
  }
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules')))
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  return join(folder, 'bin/moraine.mjs');
}

/** Changes a file of such a copy. @throws when it does not contain the text */
export function changeFile(folder: string, file: string, before: string, after: string): void {
  const path = join(folder, file);
  const text = readFileSync(path, 'utf8');
  if (!text.includes(before)) throw new Error(`${file} does not hold ${before}`);
  writeFileSync(path, text.replaceAll(before, after));
}
