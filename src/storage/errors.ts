/**
 * The database cannot be opened or migrated. The message is for the operator: it names the folder, setting or
 * file and what helps, and never a password.
 */
export class StorageError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StorageError';
  }
}

/**
 * Why a statement failed that was right in itself:
 * - busy: all connections are in use, those of the pool or of the server; nothing was begun
 * - short: the server has no memory left, or another of its limits was reached
 * - late: it took too long, or blocked another one
 * - read-only: the server accepts no changes (a hot standby)
 * - full: the server's disk is full or broken
 * - gone: the server cannot be reached, has hung up or is starting or stopping
 */
export type Trouble = 'busy' | 'short' | 'late' | 'read-only' | 'full' | 'gone';

// PostgreSQL (SQLSTATE), Node and Prisma codes that say "not now" and nothing about the request.
const troubleOfCode = new Map<string, Trouble>([
  ...namesOf('busy', '53300 P2024'),
  ...namesOf('short', '53000 53200 53400'),
  ...namesOf('late', '57014 40001 40P01 55P03 P2028 P2034'),
  ...namesOf('read-only', '25006'),
  ...namesOf('full', '53100 58030'),
  ...namesOf('gone', '57P01 57P02 57P03 57P04 P1001 P1002 P1008 P1017'),
  ...namesOf('gone', 'ECONNREFUSED ECONNRESET ENOENT ENOTFOUND EAI_AGAIN EPIPE ETIMEDOUT EHOSTUNREACH'),
]);

// What Prisma's adapter makes of such codes; a raw query shows nothing else.
const troubleOfKind = new Map<string, Trouble>([
  ...namesOf('busy', 'TooManyConnections'),
  ...namesOf('late', 'TransactionWriteConflict'),
  ...namesOf('gone', 'DatabaseNotReachable ConnectionClosed SocketTimeout'),
]);

// pg throws these as plain Errors without a code.
const troubleOfMessage: [beginning: string, trouble: Trouble][] = [
  ['timeout exceeded when trying to connect', 'busy'],
  ['Connection terminated', 'gone'],
  ['Client has encountered a connection error and is not queryable', 'gone'],
  ['Client was closed and is not queryable', 'gone'],
  ['Cannot use a pool after calling end on the pool', 'gone'],
  ['Query read timeout', 'gone'],
  ['timeout expired', 'gone'],
];

function namesOf(trouble: Trouble, names: string): [string, Trouble][] {
  return names.split(' ').map((name) => [name, trouble]);
}

/**
 * Why a read or write failed when the same one may succeed later (HTTP 503); undefined if the statement is
 * wrong, or for an internal error. Understands errors of pg, of Prisma and of its adapter.
 */
export function troubleOf(error: unknown): Trouble | undefined {
  return findTrouble(error, 0);
}

/** Whether there is such a reason. */
export function isUnavailable(error: unknown): boolean {
  return troubleOf(error) !== undefined;
}

/** Whether the server cannot run such a statement at all: "feature not supported". */
export function isNotPlanned(error: unknown): boolean {
  return codeOf(error) === '0A000';
}

/** What to do about it, for people at the command line; undefined if `troubleOf` is. */
export function adviceOn(error: unknown): string | undefined {
  const trouble = troubleOf(error);
  if (trouble === undefined) return undefined;
  const again = trouble === 'read-only' ? '' : '; what was written before is kept, so run the command again';
  return `${reasonFor(trouble, error)}${again} (${messageOf(error)})`;
}

/** The reason alone, for what tries again by itself; undefined if `troubleOf` is. */
export function reasonOf(error: unknown): string | undefined {
  const trouble = troubleOf(error);
  return trouble && `${reasonFor(trouble, error)} (${messageOf(error)})`;
}

function reasonFor(trouble: Trouble, error: unknown): string {
  // PostgreSQL gives both one code.
  const isOfMemory = trouble === 'full' && messageOf(error).includes('shared memory segment');
  return isOfMemory ? 'the shared memory of the database server (/dev/shm) is too small' : reasons[trouble];
}

const reasons: Record<Trouble, string> = {
  busy: 'all connections of the database are in use',
  short: 'the database server has no memory left, or reached another of its limits',
  late: 'the database took too long',
  'read-only':
    'the database is read-only, perhaps a hot standby: use its primary, or serve from it with MIGRATE=off',
  full: 'the disk of the database is full or broken: free some space',
  gone: 'the database stopped or cannot be reached',
};

/** The message of an error; that of an AggregateError (a name with two addresses) is empty. */
export function messageOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return message || code || 'unknown error';
}

/** The code of an error: PostgreSQL's five characters, Node's or Prisma's name; empty for none. */
export function codeOf(error: unknown): string {
  return (error as { code?: string }).code ?? '';
}

function findTrouble(error: unknown, depth: number): Trouble | undefined {
  if (typeof error !== 'object' || error === null || depth > 5) return undefined;
  const { code, originalCode, kind, message, cause, meta, errors } = error as Record<string, unknown>;
  const known =
    troubleOfName(code) ??
    troubleOfName(originalCode) ??
    troubleOfKind.get(kind as string) ??
    troubleInText(message);
  if (known) return known;
  // Prisma keeps the driver's error in meta.driverAdapterError.cause; Node's connect to a name with two
  // addresses throws an AggregateError.
  const inner = (meta as { driverAdapterError?: unknown } | undefined)?.driverAdapterError;
  for (const each of [cause, inner, ...(Array.isArray(errors) ? (errors as unknown[]) : [])]) {
    const found = findTrouble(each, depth + 1);
    if (found) return found;
  }
  return undefined;
}

function troubleOfName(code: unknown): Trouble | undefined {
  if (typeof code !== 'string') return undefined;
  return troubleOfCode.get(code) ?? (code.startsWith('08') ? 'gone' : undefined);
}

function troubleInText(message: unknown): Trouble | undefined {
  if (typeof message !== 'string') return undefined;
  return troubleOfMessage.find(([beginning]) => message.startsWith(beginning))?.[1];
}
