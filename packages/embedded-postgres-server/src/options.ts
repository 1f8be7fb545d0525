import type { BinariesOptions } from './binaries.js';
import type { OsAccountOptions } from './os-account.js';

/** Where starts and ends of the server are logged. A pino logger is one. */
export interface Log {
  info: (fields: object, message: string) => void;
  warn: (fields: object, message: string) => void;
  error: (fields: object, message: string) => void;
}

/** How the caller stops what takes long. */
export interface Stop {
  /** Aborted when the process should end: nothing new is started, and everything is released. */
  readonly asked: AbortSignal;
  /** Aborted when nothing may be awaited any longer: PostgreSQL is stopped without its last checkpoint. */
  readonly atOnce: AbortSignal;
}

/** For callers that are never stopped. */
export const neverStopped: Stop = {
  asked: new AbortController().signal,
  atOnce: new AbortController().signal,
};

export interface ServerOptions extends OsAccountOptions, BinariesOptions {
  /**
   * The program that uses the server, in lower-case letters: the name of its superuser and its database, and
   * the beginning of the names of its password file and its socket's folder.
   */
  name: string;
  /** The folder that contains the cluster and the server's log, absolute. It is made if it does not exist. */
  dataFolder: string;
  log: Log;
  stop?: Stop;
  /** Server settings, written into the postgresql.conf of a new cluster. */
  settings?: Record<string, string>;
  /** Where the cluster is made if the server's user cannot reach the data folder; else `/var/lib/<name>`. */
  sharedRoot?: string;
}
