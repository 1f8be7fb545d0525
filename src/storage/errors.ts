/**
 * The database cannot be opened or brought up to date. The message is for the operator: it names the folder,
 * setting or file and the ways out, and never a password.
 */
export class StorageError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StorageError';
  }
}

// PostgreSQL (SQLSTATE), Node and Prisma codes that say "not now" and nothing about the request.
const unavailableCodes = new Set([
  ...['53300', '53400', '57014', '57P01', '57P02', '57P03', '57P04', '40001', '55P03'],
  ...['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'ENOTFOUND', 'EAI_AGAIN', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH'],
  ...['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2034'],
]);

// What Prisma's adapter makes of such codes; a raw query shows nothing else.
const unavailableKinds = new Set([
  ...[
    'DatabaseNotReachable',
    'ConnectionClosed',
    'SocketTimeout',
    'TooManyConnections',
    'TransactionWriteConflict',
  ],
]);

// pg throws these as plain Errors without a code.
const unavailableMessages = [
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
  'Query read timeout',
];

/**
 * Whether a failed read or write says that the database cannot be reached, is overloaded, shutting down or lagging,
 * so that the same request may succeed later (HTTP 503). Understands errors of pg, of Prisma and of its adapter.
 */
export function isUnavailable(error: unknown): boolean {
  return saysUnavailable(error, 0);
}

function saysUnavailable(error: unknown, depth: number): boolean {
  if (typeof error !== 'object' || error === null || depth > 5) return false;
  const { code, originalCode, kind, message, cause, meta, errors } = error as Record<string, unknown>;
  if ([code, originalCode].some(isUnavailableCode) || unavailableKinds.has(kind as string)) return true;
  if (typeof message === 'string' && unavailableMessages.some((each) => message.startsWith(each)))
    return true;
  // Prisma keeps the driver's error in meta.driverAdapterError.cause; Node's connect to a name with two
  // addresses throws an AggregateError.
  const inner = (meta as { driverAdapterError?: unknown } | undefined)?.driverAdapterError;
  return [cause, inner, ...(Array.isArray(errors) ? (errors as unknown[]) : [])].some((each) =>
    saysUnavailable(each, depth + 1),
  );
}

function isUnavailableCode(code: unknown): boolean {
  return typeof code === 'string' && (unavailableCodes.has(code) || code.startsWith('08'));
}
