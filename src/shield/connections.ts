import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { clientIdentity, isProxy, parseTrustedProxies, siteOf } from '../access/client-address.js';
import type { Config } from '../config.js';
import type { AppError } from '../errors.js';
import { Accounts } from './accounts.js';
import { cutAll, keepAllTimes, checkRegularly, type TimesConfig } from './connection-times.js';
import { closeSocket, connectionToClose, enterPhase, exceedsShare } from './connection.js';
import { newConnection, sentBytes } from './connection.js';
import type { ClientConnection } from './connection.js';
import { Excess } from './excess.js';
import { UnsentBytes } from './unsent-bytes.js';
import { rawRefusal, type ConstantHeaders } from './raw-refusal.js';

/** How long a refused client has to read the refusal, milliseconds. Closing at once might lose it. */
const LINGER_MS = 1000;
/** Most requests that wait on a connection after the one that is being answered. */
const MAX_WAITING = 16;

export type ConnectionsConfig = TimesConfig &
  Pick<Config, 'TRUSTED_PROXIES' | 'MAX_CONNECTIONS' | 'MAX_UNSENT_MB'>;

type Exchange = ClientConnection['waiting'][number];
type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * The connections of a server. Each belongs to a caller, who has at most a quarter of all; each makes
 * progress or is closed. One timer checks all of them, so that a request needs no timer.
 */
export class Connections {
  readonly accounts = new Accounts();
  readonly unsent: UnsentBytes;
  private readonly bySocket = new Map<Socket, ClientConnection>();
  private readonly excess: Excess;
  private readonly isTrusted: ReturnType<typeof parseTrustedProxies>;
  private sweeping: NodeJS.Timeout | undefined;
  private isCut = false;

  constructor(
    private readonly config: ConnectionsConfig,
    private readonly constantHeaders: ConstantHeaders,
  ) {
    this.isTrusted = parseTrustedProxies(config.TRUSTED_PROXIES);
    this.excess = new Excess(this.accounts, config.MAX_CONNECTIONS);
    this.unsent = new UnsentBytes(config.MAX_UNSENT_MB * 2 ** 20, this.accounts, (each) => this.drop(each));
  }

  get size(): number {
    return this.bySocket.size;
  }

  get hasStreams(): boolean {
    return [...this.bySocket.values()].some(({ phase }) => phase === 'streaming');
  }

  /** Undefined for a request that did not arrive on a connection, such as those of tests. */
  of(socket: Socket): ClientConnection | undefined {
    return this.bySocket.get(socket);
  }

  /** Adds a new connection; when there are too many, another one is closed. */
  open(socket: Socket): void {
    if (this.isCut) return void socket.destroy();
    const { config } = this;
    const { remoteAddress: remote } = socket;
    const proxied = isProxy(remote, this.isTrusted);
    const account = this.accounts.of(clientIdentity(remote, undefined, this.isTrusted));
    const peer = { proxied, site: proxied ? undefined : siteOf(remote) };
    const connection = newConnection(socket, account, peer, performance.now());
    this.bySocket.set(socket, connection);
    account.connections.add(connection);
    this.excess.count(connection, 1);
    socket.once('close', () => this.forget(connection));
    socket.once('end', () => (connection.endedAt = performance.now()));
    this.sweeping ??= checkRegularly((...times) => keepAllTimes(this.bySocket.values(), times, config, this));
    const victim = this.excess.afterOpening(connection, this.bySocket);
    if (victim) this.drop(victim);
  }

  /**
   * Answers the requests of a connection one after another, as HTTP orders their replies. Node emits
   * pipelined ones at once: each would count as in flight and keep a reply in memory.
   */
  serve(message: IncomingMessage, response: ServerResponse, handler: Handler): void {
    const connection = this.bySocket.get(message.socket);
    if (!connection || connection.closesAt > 0) return;
    if (!connection.response) this.answer(connection, [message, response], handler);
    else if (connection.waiting.length < MAX_WAITING) connection.waiting.push([message, response]);
    // Later requests are dropped; the client sees it because the connection ends.
    else connection.waiting[MAX_WAITING - 1]![1].shouldKeepAlive = false;
  }

  private answer(connection: ClientConnection, exchange: Exchange, handler: Handler): void {
    const [message, response] = exchange;
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
        this.answer(connection, next, handler);
    });
    handler(message, response);
  }

  /** Notes whose request the connection carries; another connection is closed if there are then too many. */
  belongsTo(connection: ClientConnection, identity: string): void {
    const { account } = connection;
    if (account.identity === identity) return;
    this.unsent.set(connection, 0);
    account.connections.delete(connection);
    this.accounts.settle(account);
    connection.account = this.accounts.of(identity);
    connection.account.connections.add(connection);
    const isTooMany = exceedsShare(connection, this.config.MAX_CONNECTIONS);
    const other = isTooMany
      ? connectionToClose(connection)
      : this.excess.afterRequest(connection, this.bySocket);
    if (other) this.drop(other);
    // All are being answered. The new one stays until it is answered: requests in flight are bounded too.
    else if (isTooMany && connection.response) connection.response.shouldKeepAlive = false;
  }

  /** A request's body is being read, `bytes` long. */
  reading(connection: ClientConnection, request: FastifyRequest, bytes: number): void {
    this.enter(connection, 'reading');
    connection.request = request;
    this.unsent.set(connection, bytes);
  }

  working(connection: ClientConnection): void {
    this.enter(connection, 'working');
  }

  /** The reply is complete, `bytes` long, and counts until the client has taken all of it. */
  sending(connection: ClientConnection, bytes: number): void {
    this.enter(connection, 'sending');
    connection.rateSince = connection.since;
    connection.sent = connection.sentBefore = sentBytes(connection.socket);
    this.unsent.set(connection, bytes);
  }

  /** A stream is sent from now on. @param end tells the client why it ends */
  streaming(connection: ClientConnection, end: (error: AppError) => void): void {
    this.enter(connection, 'streaming');
    connection.sent = sentBytes(connection.socket);
    connection.endStream = end;
  }

  private enter(connection: ClientConnection, phase: ClientConnection['phase']): void {
    enterPhase(connection, phase);
    if (connection.bytes > 0) this.unsent.set(connection, 0);
  }

  /** Sends a client the reason why it is refused, outside any reply, and closes its connection. */
  refuse(connection: ClientConnection, error: AppError, more: Record<string, string> = {}): void {
    if (connection.closesAt > 0) return;
    connection.closesAt = performance.now() + LINGER_MS;
    connection.waiting.length = 0;
    connection.socket.end(rawRefusal(error, more, this.constantHeaders));
  }

  /** Closes a connection at once and frees what it uses. */
  drop(connection: ClientConnection): void {
    this.forget(connection);
    closeSocket(connection);
  }

  private forget(connection: ClientConnection): void {
    const { account, socket } = connection;
    if (!this.bySocket.delete(socket)) return;
    this.unsent.set(connection, 0);
    account.connections.delete(connection);
    this.accounts.settle(account);
    this.excess.count(connection, -1);
    connection.waiting.length = 0;
    if (this.size > 0) return;
    clearInterval(this.sweeping);
    this.sweeping = undefined;
  }

  /** Ends all connections: requests get `error`; half-sent replies and idle ones are cut. */
  cut(error: AppError): void {
    this.isCut = true;
    cutAll([...this.bySocket.values()], error, this);
  }
}
