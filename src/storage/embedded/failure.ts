import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StorageError } from '../errors.js';

const whatHelps = 'Set DATA_DIR to another folder, or DATABASE_URL to a PostgreSQL 15 or newer.' as const;

/** The data folder belongs to somebody else. */
export async function ownerError(folder: string, owner: number): Promise<StorageError> {
  return new StorageError(
    `The data folder ${folder} belongs to ${await userName(owner)}, and this process runs as ` +
      `${await userName(process.getuid?.() ?? -1)}. Run Moraine as that user, or change the owner of the folder ` +
      `(chown -R, while no process uses it). ${whatHelps}`,
  );
}

/** A failed file operation in or on the way to a data folder, as a message that says what to do. */
export async function folderError(folder: string, cause: unknown): Promise<StorageError> {
  if (cause instanceof StorageError) return cause;
  const { code, message } = cause as NodeJS.ErrnoException;
  switch (code) {
    case 'EACCES':
    case 'EPERM': {
      const { path, uid } = await nearestExisting(folder);
      if (uid !== process.getuid?.()) return ownerError(path, uid);
      return new StorageError(`The data folder ${folder} is not writable. ${whatHelps}`, { cause });
    }
    case 'EROFS':
      return new StorageError(`The data folder ${folder} is on a read-only file system. ${whatHelps}`, {
        cause,
      });
    case 'ENOSPC':
    case 'EDQUOT':
      return noRoom(folder, cause);
    case 'EEXIST':
    case 'ENOTDIR':
      return new StorageError(`${folder} is not a folder, or a part of its path is a file. ${whatHelps}`, {
        cause,
      });
    case undefined:
    default:
      return new StorageError(`The data folder ${folder} cannot be used: ${message}. ${whatHelps}`, {
        cause,
      });
  }
}

/** The error of initdb or the server, as a message that says what to do. */
export function initError(folder: string, output: string): StorageError {
  if (/No space left on device|Disk quota exceeded/.test(output)) return noRoom(folder, output);
  return new StorageError(`The embedded PostgreSQL could not be set up in ${folder}:\n${lastLines(output)}`);
}

/** The server ended instead of accepting connections. */
export function startError(dataFolder: string, logFile: string, output: string): StorageError {
  if (/No space left on device|Disk quota exceeded/.test(output)) return noRoom(dataFolder, output);
  return new StorageError(
    `The embedded PostgreSQL in ${dataFolder} did not start. The end of ${logFile}:\n${lastLines(output)}`,
  );
}

/** The cluster is of another major version than these programs. */
export function otherMajorError(dataFolder: string, made: string, present: string): StorageError {
  return new StorageError(
    `The data in ${dataFolder} was created by PostgreSQL ${made}, but this version of Moraine includes PostgreSQL ${present}, which ` +
      'cannot read it. Nothing was changed. Move the data in two steps:\n' +
      `  with the Moraine that made them:  DATA_DIR=${dataFolder} moraine export --with-secrets moving\n` +
      `  with this one:                    DATA_DIR=${dataFolder}-${present} moraine import --with-secrets moving/*\n` +
      `and start with DATA_DIR=${dataFolder}-${present} from then on (docs/operating.md, "Backup and moving").`,
  );
}

function noRoom(folder: string, cause: unknown): StorageError {
  return new StorageError(
    `There is no space left in the data folder ${folder}. Free some (a start needs about 100 MB). ${whatHelps}`,
    {
      cause,
    },
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
