import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { clientIdentity, isProxy, parseTrustedProxies } from '../access/client-address.js';
import type { Config } from '../config.js';
import type { AppError } from '../errors.js';
import { Accounts, type Account } from './accounts.js';
import { forgive, keepTimes, lookRegularly, type TimesConfig } from './connection-times.js';
import { exceedsShare, leastMissed, newConnection } from './connection.js';
import { sentBytes, stalest, type ClientConnection } from './connection.js';
import type { ConstantHeaders } from './constant-headers.js';
import { HeldBytes } from './held-bytes.js';
import { rawRefusal } from './raw-refusal.js';

/** How long a refused client is given to read why, milliseconds. Closing at once would take the refusal back. */
const LINGER_MS = 1000;
/** Requests that may wait on a connection behind the one that is being answered. */
const MAX_WAITING = 16;

export type ConnectionsConfig = TimesConfig &
  Pick<Config, 'TRUSTED_PROXIES' | 'MAX_CONNECTIONS' | 'MAX_UNSENT_MB'>;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * The connections of a server. Each has an owner, at most a quarter of all; each gets on or is closed. One sweep keeps
 * their times, so that a request costs no timer.
 */
export class Connections {
  readonly accounts = new Accounts();
  readonly held: HeldBytes;
  private readonly bySocket = new Map<Socket, ClientConnection>();
  private readonly isTrusted: ReturnType<typeof parseTrustedProxies>;
  private sweeping: NodeJS.Timeout | undefined;
  private isCut = false;

  constructor(
    private readonly config: ConnectionsConfig,
    private readonly constantHeaders: ConstantHeaders,
  ) {
    this.isTrusted = parseTrustedProxies(config.TRUSTED_PROXIES);
    this.held = new HeldBytes(config.MAX_UNSENT_MB * 2 ** 20, this.accounts, (each) => this.drop(each));
  }

  get size(): number {
    return this.bySocket.size;
  }

  /** Undefined for a request that did not come by a connection, as those of tests. */
  of(socket: Socket): ClientConnection | undefined {
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
    this.sweeping ??= lookRegularly((now, lost) => this.sweep(now, lost));
    const { MAX_CONNECTIONS: max } = this.config;
    const tooMany = exceedsShare(connection, max) ? account : undefined;
    const from = tooMany ?? (this.size > max ? this.accounts.greediest(countOf) : undefined);
    const isVictim = (each: ClientConnection) => each !== connection && !(tooMany && each.proxied);
    if (from) this.drop(stalest(from.connections, isVictim) ?? connection);
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
    connection: ClientConnection,
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

  /** Notes whose request the connection carries; of a caller that has too many by it, another one goes. */
  belongsTo(connection: ClientConnection, identity: string): void {
    const { account } = connection;
    if (account.identity === identity) return;
    this.held.hold(connection, 0);
    account.connections.delete(connection);
    this.accounts.settle(account);
    connection.account = this.accounts.of(identity);
    connection.account.connections.add(connection);
    if (!exceedsShare(connection, this.config.MAX_CONNECTIONS)) return;
    const other = leastMissed(connection);
    if (other) this.drop(other);
    // All of them are being answered. There is one more until this one is, of which the bound on slots is one.
    else if (connection.response) connection.response.shouldKeepAlive = false;
  }

  /** The request's body is waited for, `bytes` long. */
  reading(connection: ClientConnection, request: FastifyRequest, bytes: number): void {
    this.enter(connection, 'reading');
    connection.request = request;
    this.held.hold(connection, bytes);
  }

  working(connection: ClientConnection): void {
    this.enter(connection, 'working');
  }

  /** The reply is made, `bytes` long, and counts until the client has taken all of it. */
  sending(connection: ClientConnection, bytes: number): void {
    this.enter(connection, 'sending');
    connection.rateSince = connection.since;
    connection.sent = connection.sentBefore = sentBytes(connection.socket);
    this.held.hold(connection, bytes);
  }

  private enter(connection: ClientConnection, phase: ClientConnection['phase']): void {
    connection.phase = phase;
    connection.since = performance.now();
    connection.request = undefined;
    if (connection.bytes > 0) this.held.hold(connection, 0);
  }

  /** Tells a client why it is refused, outside any reply, and closes its connection. */
  refuse(connection: ClientConnection, error: AppError, more: Record<string, string> = {}): void {
    if (connection.closesAt > 0) return;
    connection.closesAt = performance.now() + LINGER_MS;
    connection.waiting.length = 0;
    connection.socket.end(rawRefusal(error, more, this.constantHeaders));
  }

  /** Closes a connection at once and gives back what it holds. */
  drop(connection: ClientConnection): void {
    this.forget(connection);
    // A reset frees what the system holds of a reply that nobody reads. A Unix socket has no address and knows no reset.
    if (connection.phase === 'sending' && connection.socket.remoteAddress)
      connection.socket.resetAndDestroy();
    else connection.socket.destroy();
  }

  private forget(connection: ClientConnection): void {
    const { account, socket } = connection;
    if (!this.bySocket.delete(socket)) return;
    this.held.hold(connection, 0);
    account.connections.delete(connection);
    this.accounts.settle(account);
    connection.waiting.length = 0;
    if (this.size > 0) return;
    clearInterval(this.sweeping);
    this.sweeping = undefined;
  }

  private sweep(now: number, lost: number): void {
    for (const connection of this.bySocket.values()) {
      if (lost > 0) forgive(connection, lost);
      keepTimes(connection, now, this.config, this);
    }
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
