import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { shareOf } from '../gate.js';
import type { Account } from './accounts.js';

/** A client's connection. */
export interface ClientConnection {
  readonly socket: Socket;
  /** The peer is a trusted proxy, whose connections are those of many. */
  readonly proxied: boolean;
  /** Its last admitted caller; the address until a request was admitted. */
  account: Account;
  /**
   * What is waited for. idle: a request or the rest of its head; reading: the rest of a body; working: us;
   * sending: the client, to read the reply.
   */
  phase: 'idle' | 'reading' | 'working' | 'sending';
  /** When the phase began; of sending, when the client last read something. Milliseconds of `performance.now()`. */
  since: number;
  /** What it holds of its account's bytes. */
  bytes: number;
  /** The exchange that is under way; the message of the last one stays. */
  message: IncomingMessage | undefined;
  response: ServerResponse | undefined;
  /** The request whose body is being read. */
  request: FastifyRequest | undefined;
  /** Pipelined behind that. */
  readonly waiting: [IncomingMessage, ServerResponse][];
  /** Bytes that the client's side had taken, at the last look and at the beginning of the present READ_TIMEOUT_MS. */
  sent: number;
  sentBefore: number;
  rateSince: number;
  /** Refused, and closed at this moment whatever the client does; 0 when it was not. */
  closesAt: number;
}

export function newConnection(
  socket: Socket,
  account: Account,
  proxied: boolean,
  now: number,
): ClientConnection {
  return {
    socket,
    proxied,
    account,
    phase: 'idle',
    since: now,
    bytes: 0,
    message: undefined,
    response: undefined,
    request: undefined,
    waiting: [],
    sent: 0,
    sentBefore: 0,
    rateSince: now,
    closesAt: 0,
  };
}

/**
 * Bytes that the system took off us so far. Of a reply that is one long write Node itself tells nothing before the
 * whole of it is gone; its handle does.
 */
export function sentBytes(socket: Socket): number {
  const { _handle: handle } = socket as unknown as {
    _handle: { bytesWritten: number; writeQueueSize: number } | null;
  };
  return handle ? handle.bytesWritten - handle.writeQueueSize : socket.bytesWritten;
}

/** The one longest without progress; those that wait for us are not among them. */
export function stalest(
  connections: Iterable<ClientConnection>,
  among: (connection: ClientConnection) => boolean,
): ClientConnection | undefined {
  let found: ClientConnection | undefined;
  for (const each of connections)
    if (each.phase !== 'working' && (!found || each.since < found.since) && among(each)) found = each;
  return found;
}

/** Whether its caller has more than a share of `max` connections; those of a trusted proxy are not counted. */
export function exceedsShare({ account, proxied }: ClientConnection, max: number): boolean {
  const share = shareOf(max);
  if (proxied || account.connections.size <= share) return false;
  return [...account.connections].filter((each) => !each.proxied).length > share;
}

/** Another connection of the same caller, not by a proxy: the one longest without progress, of the idle ones if any is. */
export function leastMissed(connection: ClientConnection): ClientConnection | undefined {
  const { connections } = connection.account;
  const isOther = (each: ClientConnection) => each !== connection && !each.proxied;
  return (
    stalest(connections, (each) => each.phase === 'idle' && isOther(each)) ?? stalest(connections, isOther)
  );
}
