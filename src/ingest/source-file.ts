import { accessSync, constants, statSync } from 'node:fs';
import { basename } from 'node:path';
import { IngestError } from './errors.js';
import type { FileKind } from './kind.js';
import type { ScopeFields } from './scope.js';
import type { WriteScope } from '../write/scope.js';

/** What `--kind`, `--network` and `--chain` say. */
export interface KindOptions extends Pick<ScopeFields, 'network' | 'chain'> {
  kind?: string | undefined;
}

/** A file that can be imported. */
export interface SourceFile {
  /** As it was given on the command line. */
  path: string;
  kind: FileKind;
  scope: WriteScope;
  /** As it is stored. */
  bytes: number;
}

/** A kind with the scope that a file's name or the options give. */
export type Recognised = Pick<SourceFile, 'kind' | 'scope'>;

/**
 * Finds out what files contain, from their names or the options, before anything is read.
 *
 * @throws IngestError that names every file that is missing or of an unknown kind
 */
export function recogniseFiles(
  paths: readonly string[],
  options: KindOptions,
  kinds: readonly FileKind[],
): SourceFile[] {
  const problems: string[] = [];
  const files = paths.flatMap((path) => {
    try {
      const bytes = sizeOf(path);
      return [{ path, bytes, ...recognise(path, options, kinds) }];
    } catch (error) {
      if (!(error instanceof IngestError)) throw error;
      problems.push(`${path}: ${error.message}`);
      return [];
    }
  });
  if (problems.length > 0) throw new IngestError(`nothing was imported:\n  ${problems.join('\n  ')}`);
  return files;
}

/**
 * @param path a file name, with or without folders, `.ndjson` and `.gz`
 * @throws IngestError when the name is of no known kind, or it and the options disagree
 */
export function recognise(path: string, options: KindOptions, kinds: readonly FileKind[]): Recognised {
  const name = bareName(path);
  const named = kinds.find((each) => each.file.test(name));
  const kind = options.kind === undefined ? (named ?? unknownName(kinds)) : kindNamed(options.kind, kinds);
  if (named && named !== kind)
    throw new IngestError(`the file name says ${named.name}, but --kind says ${kind.name}`);
  const fromName: ScopeFields = kind.file.exec(name)?.groups ?? {};
  const scope = kind.scope({
    ...fromName,
    network: agree('network', fromName.network, options.network),
    chain: agree('chain', fromName.chain, options.chain),
  });
  return { kind, scope };
}

/** What a file is called without folders and endings. */
export function bareName(path: string): string {
  return basename(path)
    .replace(/\.gz$/, '')
    .replace(/\.(ndjson|jsonl)$/, '');
}

function unknownName(kinds: readonly FileKind[]): never {
  throw new IngestError(
    `the file name does not say what the file contains. Names that do: ${kinds.map(({ example }) => example).join(', ')}. ` +
      'Or give --kind, --network and --chain.',
  );
}

function kindNamed(name: string, kinds: readonly FileKind[]): FileKind {
  const kind = kinds.find((each) => each.name === name);
  if (kind) return kind;
  throw new IngestError(
    `--kind ${name} is unknown; it must be one of ${kinds.map((each) => each.name).join(', ')}`,
  );
}

function agree(part: 'network' | 'chain', named: string | undefined, option: string | undefined) {
  if (named !== undefined && option !== undefined && bare(named) !== bare(option))
    throw new IngestError(`the file name says ${part} ${named}, but --${part} says ${option}`);
  return option ?? named;
}

// Both spellings of a chain and of the test network mean the same.
function bare(part: string): string {
  return part === 'testnet' ? 'fuji' : part.replace(/-chain$/, '');
}

function sizeOf(path: string): number {
  try {
    const stats = statSync(path);
    if (stats.isDirectory()) throw new IngestError('is a folder; name the files in it');
    accessSync(path, constants.R_OK);
    return stats.size;
  } catch (error) {
    if (error instanceof IngestError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new IngestError(code === 'ENOENT' ? 'there is no such file' : `cannot be read: ${message}`);
  }
}
