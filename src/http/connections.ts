import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { clientIdentity, isProxy, parseTrustedProxies } from '../access/client-address.js';
import { rateLimitHeaders } from '../access/headers.js';
import type { Config } from '../config.js';
import { AppError } from '../errors.js';
import { Accounts, shareOf, type Account } from './accounts.js';
import { newConnection, sentBytes, stalest, type Connection } from './connection.js';
import type { ConstantHeaders } from './constant-headers.js';
import { rawRefusal } from './raw-refusal.js';

/** How often all connections are looked at, milliseconds. */
const LOOK_MS = 500;
/** How long a refused client is given to read why, milliseconds. Closing at once would take the refusal back. */
const LINGER_MS = 1000;
/** Requests that may wait on a connection behind the one that is being answered. */
const MAX_WAITING = 16;

export type ConnectionsConfig = Pick<
  Config,
  | 'TRUSTED_PROXIES'
  | 'MAX_CONNECTIONS'
  | 'BODY_TIMEOUT_MS'
  | 'MAX_BODY_BYTES'
  | 'MAX_UNSENT_MB'
  | 'MIN_READ_BYTES_PER_SECOND'
  | 'READ_TIMEOUT_MS'
>;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * The connections of a server. Each has an owner, at most a quarter of all; each gets on or is closed. One sweep keeps
 * their times, so that a request costs no timer.
 */
export class Connections {
  readonly accounts = new Accounts();
  readonly maxBytes: number;
  /** Of replies that were not read yet and of bodies that are being sent. */
  bytes = 0;
  private readonly bySocket = new Map<Socket, Connection>();
  private readonly isTrusted: ReturnType<typeof parseTrustedProxies>;
  private sweeping: NodeJS.Timeout | undefined;
  private isCut = false;

  constructor(
    private readonly config: ConnectionsConfig,
    private readonly constantHeaders: ConstantHeaders,
  ) {
    this.isTrusted = parseTrustedProxies(config.TRUSTED_PROXIES);
    this.maxBytes = config.MAX_UNSENT_MB * 2 ** 20;
  }

  get size(): number {
    return this.bySocket.size;
  }

  /** Undefined for a request that did not come by a connection, as those of tests. */
  of(socket: Socket): Connection | undefined {
    return this.bySocket.get(socket);
  }

  /** Takes a new connection; when there are too many, another one goes. */
  open(socket: Socket): void {
    if (this.isCut) return void socket.destroy();
    const proxied = isProxy(socket.remoteAddress, this.isTrusted);
    const account = this.accounts.of(clientIdentity(socket.remoteAddress, undefined, this.isTrusted));
    const connection = newConnection(socket, account, proxied, performance.now());
    this.bySocket.set(socket, connection);
    account.connections.add(connection);
    socket.once('close', () => this.forget(connection));
    this.sweeping ??= setInterval(() => this.sweep(), LOOK_MS).unref();
    const { MAX_CONNECTIONS: max } = this.config;
    const tooMany = !proxied && account.connections.size > shareOf(max) ? account : undefined;
    const from = tooMany ?? (this.size > max ? this.accounts.greediest(countOf) : undefined);
    if (from) this.drop(stalest(from.connections, (each) => each !== connection) ?? connection);
  }

  /**
   * Has requests of a connection answered one after another, as HTTP orders their replies: pipelined ones, which Node
   * hands over all at once, would each hold a slot and a reply, and never learn that their connection is gone.
   */
  serve(message: IncomingMessage, response: ServerResponse, handler: Handler): void {
    const connection = this.bySocket.get(message.socket);
    if (!connection || connection.closesAt > 0) return;
    if (!connection.response) this.answer(connection, message, response, handler);
    else if (connection.waiting.length < MAX_WAITING) connection.waiting.push([message, response]);
    // What comes after it is dropped, and its client told so by the end of the connection.
    else connection.waiting[MAX_WAITING - 1]![1].shouldKeepAlive = false;
  }

  private answer(
    connection: Connection,
    message: IncomingMessage,
    response: ServerResponse,
    handler: Handler,
  ): void {
    connection.message = message;
    connection.response = response;
    this.enter(connection, 'working');
    response.once('close', () => {
      connection.response = undefined;
      // Half a body costs what a whole one would.
      void connection.request?.access?.charge.take(1).catch(() => undefined);
      this.enter(connection, 'idle');
      const next = connection.waiting.shift();
      if (next && connection.socket.writable && this.bySocket.has(connection.socket))
        this.answer(connection, ...next, handler);
    });
    handler(message, response);
  }

  /** Notes whose request the connection carries. */
  belongsTo(connection: Connection, identity: string): void {
    const { account } = connection;
    if (account.identity === identity) return;
    this.hold(connection, 0);
    account.connections.delete(connection);
    this.accounts.settle(account);
    connection.account = this.accounts.of(identity);
    connection.account.connections.add(connection);
  }

  /** The request's body is waited for, `bytes` long. */
  reading(connection: Connection, request: FastifyRequest, bytes: number): void {
    this.enter(connection, 'reading');
    connection.request = request;
    this.hold(connection, bytes);
  }

  working(connection: Connection): void {
    this.enter(connection, 'working');
  }

  /** The reply is made, `bytes` long, and counts until the client has taken all of it. */
  sending(connection: Connection, bytes: number): void {
    this.enter(connection, 'sending');
    connection.rateSince = connection.since;
    connection.sent = connection.sentBefore = sentBytes(connection.socket);
    this.hold(connection, bytes);
  }

  private enter(connection: Connection, phase: Connection['phase']): void {
    connection.phase = phase;
    connection.since = performance.now();
    connection.request = undefined;
    if (connection.bytes > 0) this.hold(connection, 0);
  }

  /** Whether the caller may be sent more; a reader that has stood still is cut off for it. */
  hasRoom(account: Account): boolean {
    if (account.bytes < shareOf(this.maxBytes)) return true;
    const before = performance.now() - 4 * LOOK_MS;
    const stuck = stalest(account.connections, (each) => each.phase === 'sending' && each.since < before);
    if (stuck) this.drop(stuck);
    return stuck !== undefined;
  }

  // Whoever holds too much loses the replies that are read slowest, never the only one.
  private hold(connection: Connection, bytes: number): void {
    const { account } = connection;
    const more = bytes - connection.bytes;
    connection.bytes = bytes;
    account.bytes += more;
    this.bytes += more;
    if (more <= 0) return;
    for (;;) {
      const tooMuch = account.bytes > shareOf(this.maxBytes) ? account : undefined;
      const from = tooMuch ?? (this.bytes > this.maxBytes ? this.accounts.greediest(bytesOf) : undefined);
      const victim = from && stalest(from.connections, (each) => each.bytes > 0 && each !== connection);
      if (!victim) return;
      this.drop(victim);
    }
  }

  /** Tells a client why it is refused, outside any reply, and closes its connection. */
  refuse(connection: Connection, error: AppError, more: Record<string, string> = {}): void {
    if (connection.closesAt > 0) return;
    connection.closesAt = performance.now() + LINGER_MS;
    connection.waiting.length = 0;
    connection.socket.end(rawRefusal(error, more, this.constantHeaders));
  }

  /** Closes a connection at once and gives back what it holds. */
  drop(connection: Connection): void {
    this.forget(connection);
    // A reset frees what the system holds of a reply that nobody reads.
    if (connection.phase === 'sending') connection.socket.resetAndDestroy();
    else connection.socket.destroy();
  }

  private forget(connection: Connection): void {
    const { account, socket } = connection;
    if (!this.bySocket.delete(socket)) return;
    this.hold(connection, 0);
    account.connections.delete(connection);
    this.accounts.settle(account);
    connection.waiting.length = 0;
    if (this.size > 0) return;
    clearInterval(this.sweeping);
    this.sweeping = undefined;
  }

  private sweep(): void {
    const now = performance.now();
    for (const connection of this.bySocket.values()) {
      if (connection.closesAt > 0) {
        if (now >= connection.closesAt) this.drop(connection);
      } else if (connection.phase === 'sending') this.lookAtReader(connection, now);
      else if (connection.phase === 'reading' && now - connection.since >= this.config.BODY_TIMEOUT_MS)
        void this.refuseHalfBody(connection);
    }
  }

  private lookAtReader(connection: Connection, now: number): void {
    const { READ_TIMEOUT_MS, MIN_READ_BYTES_PER_SECOND } = this.config;
    const sent = sentBytes(connection.socket);
    if (sent !== connection.sent) connection.since = now;
    connection.sent = sent;
    const time = now - connection.rateSince;
    if (time < READ_TIMEOUT_MS) return;
    if (sent - connection.sentBefore < (time / 1000) * MIN_READ_BYTES_PER_SECOND)
      return this.drop(connection);
    connection.rateSince = now;
    connection.sentBefore = sent;
  }

  private async refuseHalfBody(connection: Connection): Promise<void> {
    const { caller, charge } = connection.request?.access ?? {};
    connection.since = Infinity;
    const decision = await charge?.take(1).catch(() => undefined);
    const told = caller?.kind === 'key' && decision ? rateLimitHeaders(decision) : {};
    const { BODY_TIMEOUT_MS } = this.config;
    const message = `The body of the request did not arrive within the allowed ${BODY_TIMEOUT_MS} ms`;
    this.refuse(connection, new AppError('REQUEST_TIMEOUT', message), told);
  }

  /** Ends everything for good: what is unanswered with `error`, what is half answered or idle without a word. */
  cut(error: AppError): void {
    this.isCut = true;
    for (const connection of [...this.bySocket.values()]) {
      const { response, socket } = connection;
      if (!response || response.headersSent || connection.closesAt > 0) {
        this.drop(connection);
      } else {
        this.refuse(connection, error);
        socket.once('finish', () => this.drop(connection));
      }
    }
  }
}

const countOf = (account: Account) => account.connections.size;
const bytesOf = (account: Account) => account.bytes;
