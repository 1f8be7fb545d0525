/**
 * The closed list of ways in which a request can fail, with the HTTP status and title of each
 * (docs/contract.md, "Error body"). GraphQL shows the code as `extensions.code`, REST the status and title.
 */
export const errorKinds = {
  BAD_USER_INPUT: { status: 400, title: 'Bad Request' },
  QUERY_TOO_COMPLEX: { status: 400, title: 'Bad Request' },
  UNAUTHENTICATED: { status: 401, title: 'Unauthorized' },
  FORBIDDEN: { status: 403, title: 'Forbidden' },
  NOT_FOUND: { status: 404, title: 'Not Found' },
  PERSISTED_QUERY_NOT_FOUND: { status: 404, title: 'Not Found' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'Method Not Allowed' },
  EVENTS_LOST: { status: 410, title: 'Gone' },
  REQUEST_TIMEOUT: { status: 408, title: 'Request Timeout' },
  PAYLOAD_TOO_LARGE: { status: 413, title: 'Payload Too Large' },
  RATE_LIMITED: { status: 429, title: 'Too Many Requests' },
  HEADERS_TOO_LARGE: { status: 431, title: 'Request Header Fields Too Large' },
  INTERNAL_SERVER_ERROR: { status: 500, title: 'Internal Server Error' },
  NOT_IMPLEMENTED: { status: 501, title: 'Not Implemented' },
  BAD_GATEWAY: { status: 502, title: 'Bad Gateway' },
  SERVICE_UNAVAILABLE: { status: 503, title: 'Service Unavailable' },
} as const;

export type ErrorCode = keyof typeof errorKinds;

export interface AppErrorOptions {
  /** Whole seconds after which the same request may succeed; see `retryHeaders`. */
  retryAfterSeconds?: number;
  /** The internal cause: logged, never shown. */
  cause?: unknown;
}

/**
 * A failure whose message may be shown to the caller as it is. Anything else that is thrown is a fault of
 * ours and is masked. `message` may be a list: one entry for each wrong parameter.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly messages: string | string[];
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string | string[], options: AppErrorOptions = {}) {
    super(Array.isArray(message) ? message.join('; ') : message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.messages = message;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return errorKinds[this.code].status;
  }

  get title(): string {
    return errorKinds[this.code].title;
  }

  /** The HTTP headers that say when to try again; a reached limit has two of them. */
  get retryHeaders(): Record<string, string> {
    if (this.retryAfterSeconds === undefined) return {};
    const seconds = String(this.retryAfterSeconds);
    return this.code === 'RATE_LIMITED'
      ? { 'retry-after': seconds, 'ratelimit-reset': seconds }
      : { 'retry-after': seconds };
  }
}

/** The caller's input is wrong; `message` names the parameter, the value and what is allowed. */
export function badInput(message: string | string[]): AppError {
  return new AppError('BAD_USER_INPUT', message);
}

/** Runs several checks and collects their errors, so that one answer names every wrong parameter. */
export class Problems {
  private readonly messages: string[] = [];

  /** The check's value, or undefined when it refused its input. */
  check<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'BAD_USER_INPUT') throw error;
      this.messages.push(...[error.messages].flat());
      return undefined;
    }
  }

  /** @throws AppError BAD_USER_INPUT when any check refused its input */
  throwIfAny(): void {
    if (this.messages.length > 0) throw badInput(this.messages);
  }
}

/**
 * Runs two checks, so that one answer has the errors of both.
 *
 * @throws AppError BAD_USER_INPUT with the messages of both
 */
export function checkBoth<A, B>(first: () => A, second: () => B): [A, B] {
  const problems = new Problems();
  const values = [problems.check(first), problems.check(second)];
  problems.throwIfAny();
  return values as [A, B];
}

/** What was thrown, in words. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A value as it may be shown in a message: quoted, and cut when it is long. */
export function quote(value: string): string {
  return JSON.stringify(shorten(value));
}

/**
 * A JSON value as it may be shown in a message. Lists and objects are named only by their kind: clients may
 * nest them deeper than they could be printed.
 */
export function shown(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : shorten(String(value));
}

/** The text, cut when it is longer than `most` characters. */
export function shorten(text: string, most = 80): string {
  return text.length > most ? `${text.slice(0, most - 3)}…` : text;
}

/**
 * The text on one line, for a terminal: control characters, line separators, and what is invisible or changes
 * the direction of writing, as `\u{…}`.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character === '\n' ? '\\n' : `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );
}
