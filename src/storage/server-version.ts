import { StorageError } from './errors.js';

const oldestMajor = 15;

/**
 * Reads PostgreSQL's own `server_version`, for example "15.18 (Debian 15.18-0+deb12u1)".
 *
 * @param where which server, for the message
 * @returns only the number, "15.18"
 * @throws StorageError when the server is older than Moraine's SQL needs, or says something else
 */
export function readServerVersion(text: string | undefined, where: string): string {
  const [version = ''] = (text ?? '').split(' ');
  if (Number.parseInt(version, 10) >= oldestMajor) return version;
  throw new StorageError(
    `DATABASE_URL names a PostgreSQL of version ${JSON.stringify(text)} at ${where}; Moraine needs ${oldestMajor} or newer.`,
  );
}
