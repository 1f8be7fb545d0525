import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Why there is no server:
 * - no-programs: there are none for this system, or they do not run here
 * - root: this process is root, and can run the programs as no other user
 * - other-owner: the data folder belongs to another user
 * - not-writable, read-only, no-space, not-a-folder: what the data folder is
 * - unusable-folder: any other error of the data folder
 * - no-shared-memory: the system's shared memory (/dev/shm) is full or too small
 * - cut-lock-file: the server's lock file, postmaster.pid, is empty or cut
 * - unreachable-folder: the server's user can reach neither the data folder nor the shared one
 * - not-created: the cluster could not be made
 * - not-started: the server ended as it was started
 * - not-accepting: the server runs and accepts no connections
 * - other-version: another major version of PostgreSQL made the cluster
 */
export type Reason =
  | ('no-programs' | 'root' | 'other-owner' | 'not-writable' | 'read-only' | 'no-space' | 'not-a-folder')
  | ('unusable-folder' | 'unreachable-folder' | 'not-created' | 'not-started' | 'not-accepting')
  | ('no-shared-memory' | 'cut-lock-file' | 'other-version');

/** There is no server. The message says what is in the way, and names the folder. It contains no password. */
export class EmbeddedError extends Error {
  /** The major version of the programs here, if another one made the cluster. */
  readonly programs: string | undefined;

  constructor(
    readonly reason: Reason,
    message: string,
    options: ErrorOptions & { programs?: string } = {},
  ) {
    super(message, options);
    this.name = 'EmbeddedError';
    this.programs = options.programs;
  }
}

/** The data folder belongs to another user. */
export async function ownerError(folder: string, owner: number): Promise<EmbeddedError> {
  return new EmbeddedError(
    'other-owner',
    `The data folder ${folder} belongs to ${await userName(owner)}, and this process runs as ` +
      `${await userName(process.getuid?.() ?? -1)}.`,
  );
}

/** The error for a failed file operation in or on the way to a data folder. */
export async function folderError(folder: string, cause: unknown): Promise<EmbeddedError> {
  if (cause instanceof EmbeddedError) return cause;
  const { code, message } = cause as NodeJS.ErrnoException;
  const error = (reason: Reason, text: string) => new EmbeddedError(reason, text, { cause });
  switch (code) {
    case 'EACCES':
    case 'EPERM': {
      const { path, uid } = await nearestExisting(folder);
      if (uid !== process.getuid?.()) return ownerError(path, uid);
      return error('not-writable', `The data folder ${folder} is not writable.`);
    }
    case 'EROFS':
      return error('read-only', `The data folder ${folder} is on a read-only file system.`);
    case 'ENOSPC':
    case 'EDQUOT':
      return spaceError(folder, cause);
    case 'EEXIST':
    case 'ENOTDIR':
      return error('not-a-folder', `${folder} is not a folder, or a part of its path is a file.`);
    case undefined:
    default:
      return error('unusable-folder', `The data folder ${folder} cannot be used: ${message}.`);
  }
}

/** The error for a failed initdb. */
export function initError(folder: string, output: string): EmbeddedError {
  const missing = missingSpace(folder, output);
  if (missing) return missing;
  return new EmbeddedError(
    'not-created',
    `The embedded PostgreSQL could not be set up in ${folder}:\n${lastLines(output)}`,
  );
}

/** The server ended instead of accepting connections. */
export function startError(dataFolder: string, logFile: string, output: string): EmbeddedError {
  const missing = missingSpace(dataFolder, output);
  if (missing) return missing;
  return new EmbeddedError(
    'not-started',
    `The embedded PostgreSQL in ${dataFolder} did not start. The end of ${logFile}:\n${lastLines(output)}`,
  );
}

/** The cluster is of another major version than these programs. */
export function otherMajorError(dataFolder: string, made: string, present: string): EmbeddedError {
  return new EmbeddedError(
    'other-version',
    `The data in ${dataFolder} was created by PostgreSQL ${made}, and the programs here are those of PostgreSQL ` +
      `${present}, which cannot read it. Nothing was changed.`,
    { programs: present },
  );
}

/** The code of an error: PostgreSQL's five characters or Node's name; an empty text when it has none. */
export function codeOf(error: unknown): string {
  return (error as { code?: string }).code ?? '';
}

/** Another server may be running: PostgreSQL reads in the lock file which process that would be. */
export function cutLockFileError(file: string): EmbeddedError {
  return new EmbeddedError(
    'cut-lock-file',
    `The lock file ${file} is empty or cut, perhaps by a full disk or a power failure, so PostgreSQL cannot tell whether ` +
      'another server uses this folder. Nothing was changed.',
  );
}

/** The error of a program that ended because something was full; undefined if nothing says so. */
function missingSpace(folder: string, output: string): EmbeddedError | undefined {
  const lines = output.split('\n').filter((line) => /No space left on device|Disk quota exceeded/.test(line));
  if (lines.length === 0) return undefined;
  // PostgreSQL names segments of shared memory, which are in /dev/shm on Linux.
  const ofMemory = lines.find((line) => /shared memory segment|\/dev\/shm/.test(line));
  if (ofMemory === undefined) return spaceError(folder, output);
  return new EmbeddedError(
    'no-shared-memory',
    `The system's shared memory (on Linux the file system /dev/shm) is full or too small for PostgreSQL: ` +
      `${ofMemory.replace(/^.*(FATAL|ERROR): +/, '')}.`,
    { cause: output },
  );
}

function spaceError(folder: string, cause: unknown): EmbeddedError {
  return new EmbeddedError(
    'no-space',
    `There is no space left in the data folder ${folder}. Free some (a start needs about 100 MB).`,
    { cause },
  );
}

function lastLines(output: string): string {
  return output.trim().split('\n').slice(-12).join('\n');
}

async function nearestExisting(folder: string): Promise<{ path: string; uid: number }> {
  try {
    const { uid } = await stat(folder);
    return { path: folder, uid };
  } catch {
    const parent = dirname(folder);
    return parent === folder ? { path: folder, uid: 0 } : nearestExisting(parent);
  }
}

async function userName(uid: number): Promise<string> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const name = passwd
    .split('\n')
    .map((line) => line.split(':'))
    .find((fields) => fields[2] === String(uid))?.[0];
  return name ? `user ${name} (uid ${uid})` : `uid ${uid}`;
}
