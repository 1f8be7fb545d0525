import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { shareOf } from '../concurrency-limit.js';
import type { AppError } from '../errors.js';
import type { Account } from './accounts.js';

/** A client's connection. */
export interface ClientConnection {
  readonly socket: Socket;
  /** The peer is a trusted proxy, whose connections belong to many callers. */
  readonly proxied: boolean;
  /** The /48 of its IPv6 address; undefined for IPv4 and behind a proxy. */
  readonly site: string | undefined;
  /** Its last admitted caller; the address until a request is admitted. */
  account: Account;
  /**
   * What the connection waits for. idle: a request or the rest of its head; reading: the rest of a body;
   * working: us; sending: the client, to read the reply; streaming: us, or the client, to read what a stream
   * has sent.
   */
  phase: 'idle' | 'reading' | 'working' | 'sending' | 'streaming';
  /** When the phase began; of sending, when the client last read. By `performance.now()`. */
  since: number;
  /** Its part of its account's bytes. */
  bytes: number;
  /** The exchange that is in progress; the message of the last one stays. */
  message: IncomingMessage | undefined;
  response: ServerResponse | undefined;
  /** The request whose body is being read. */
  request: FastifyRequest | undefined;
  /** Ends the stream that it carries, with a reason for the client. */
  endStream: ((error: AppError) => void) | undefined;
  /** Pipelined after it. */
  readonly waiting: [IncomingMessage, ServerResponse][];
  /** Bytes that the client had taken at the last check, and when the current READ_TIMEOUT_MS began. */
  sent: number;
  sentBefore: number;
  rateSince: number;
  /** When its client sent its last byte, by `performance.now()`; 0 before. It may be gone. */
  endedAt: number;
  /** It was refused, and is closed at this time whatever the client does; 0 when it was not. */
  closesAt: number;
}

export function newConnection(
  socket: Socket,
  account: Account,
  { proxied, site }: Pick<ClientConnection, 'proxied' | 'site'>,
  now: number,
): ClientConnection {
  return {
    socket,
    proxied,
    site,
    account,
    phase: 'idle',
    since: now,
    bytes: 0,
    message: undefined,
    response: undefined,
    request: undefined,
    endStream: undefined,
    waiting: [],
    sent: 0,
    sentBefore: 0,
    rateSince: now,
    endedAt: 0,
    closesAt: 0,
  };
}

/**
 * Bytes that the system has taken from us so far. For a reply that is one long write Node reports nothing
 * before all of it is written; its handle does.
 */
export function sentBytes(socket: Socket): number {
  const { _handle: handle } = socket as unknown as {
    _handle: { bytesWritten: number; writeQueueSize: number } | null;
  };
  return handle ? handle.bytesWritten - handle.writeQueueSize : socket.bytesWritten;
}

/** The connection longest without progress; those that wait for us do not count. */
export function longestWithoutProgress(
  connections: Iterable<ClientConnection>,
  among: (connection: ClientConnection) => boolean,
): ClientConnection | undefined {
  let found: ClientConnection | undefined;
  for (const each of connections)
    if (each.phase !== 'working' && (!found || each.since < found.since) && among(each)) found = each;
  return found;
}

/** Whether its caller has more than a share of `max` connections; those of a trusted proxy do not count. */
export function exceedsShare({ account, proxied }: ClientConnection, max: number): boolean {
  const share = shareOf(max);
  if (proxied || account.connections.size <= share) return false;
  return [...account.connections].filter((each) => !each.proxied).length > share;
}

/**
 * Another connection of the same caller, not through a proxy: the one longest without progress, an idle one
 * if there is any.
 */
export function connectionToClose(connection: ClientConnection): ClientConnection | undefined {
  const { connections } = connection.account;
  const isOther = (each: ClientConnection) => each !== connection && !each.proxied;
  return (
    longestWithoutProgress(connections, (each) => each.phase === 'idle' && isOther(each)) ??
    longestWithoutProgress(connections, isOther)
  );
}

/** Notes what a connection waits for from now on. */
export function enterPhase(connection: ClientConnection, phase: ClientConnection['phase']): void {
  connection.phase = phase;
  connection.since = performance.now();
  connection.request = connection.endStream = undefined;
}

/** A reset frees the system's buffer of an unread reply. A Unix socket cannot be reset. */
export function closeSocket({ phase, socket }: ClientConnection): void {
  const isUnread = phase === 'sending' || phase === 'streaming';
  if (isUnread && socket.remoteAddress) socket.resetAndDestroy();
  else socket.destroy();
}
