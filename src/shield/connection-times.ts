import { rateLimitHeaders } from '../access/headers.js';
import type { Config } from '../config.js';
import { AppError } from '../errors.js';
import { endedTooEarly, notRead } from './refusals.js';
import { sentBytes, type ClientConnection } from './connection.js';

/** How often all connections are checked, milliseconds. */
export const LOOK_MS = 500;

export type TimesConfig = Pick<Config, 'BODY_TIMEOUT_MS' | 'MIN_READ_BYTES_PER_SECOND' | 'READ_TIMEOUT_MS'>;

/**
 * How long a client that has sent its last byte may wait for its answer, milliseconds. One that is gone looks
 * the same, and its work should end.
 */
const ENDED_MS = 2000;

/** How a connection ends that makes no progress. */
export interface Endings {
  drop(connection: ClientConnection): void;
  refuse(connection: ClientConnection, error: AppError, more: Record<string, string>): void;
}

/**
 * Calls `look` every LOOK_MS, with the time by `performance.now()` and the milliseconds for which this
 * process stood still: timers run before sockets, so that what clients did meanwhile has not been seen then.
 */
export function checkRegularly(look: (now: number, lost: number) => void): NodeJS.Timeout {
  let before = performance.now();
  return setInterval(() => {
    const now = performance.now();
    const lost = now - before - LOOK_MS;
    before = now;
    look(now, lost > LOOK_MS ? lost : 0);
  }, LOOK_MS).unref();
}

/** Ends those connections whose time is over. @param times see checkRegularly */
export function keepAllTimes(
  connections: Iterable<ClientConnection>,
  [now, lost]: [now: number, lost: number],
  config: TimesConfig,
  endings: Endings,
): void {
  for (const connection of connections) {
    if (lost > 0) forgive(connection, lost);
    keepTimes(connection, now, config, endings);
  }
}

/** Ends a connection whose time is over: refused, reading too slowly, or with half a body. */
function keepTimes(connection: ClientConnection, now: number, config: TimesConfig, endings: Endings): void {
  if (connection.closesAt > 0) {
    if (now >= connection.closesAt) endings.drop(connection);
  } else if (connection.phase === 'sending') {
    if (!makesProgress(connection, now, config)) endings.drop(connection);
  } else if (connection.phase === 'streaming') {
    if (connection.endedAt > 0 && now - connection.endedAt >= ENDED_MS) return endings.drop(connection);
    if (readsStream(connection, now, config)) return;
    // It may take as long again to read the reason behind what it has not read.
    connection.closesAt = now + config.READ_TIMEOUT_MS;
    connection.endStream?.(notRead(config.READ_TIMEOUT_MS));
  } else if (connection.phase === 'reading' && now - connection.since >= config.BODY_TIMEOUT_MS) {
    void refuseHalfBody(connection, config, endings);
  } else if (connection.phase === 'working' && connection.endedAt > 0 && now - connection.endedAt >= ENDED_MS)
    endings.refuse(connection, endedTooEarly(ENDED_MS), {});
}

/** Subtracts milliseconds from the time that a client has used. */
function forgive(connection: ClientConnection, milliseconds: number): void {
  connection.since += milliseconds;
  connection.rateSince += milliseconds;
  if (connection.endedAt > 0) connection.endedAt += milliseconds;
}

function makesProgress(connection: ClientConnection, now: number, config: TimesConfig): boolean {
  const sent = sentBytes(connection.socket);
  if (sent !== connection.sent) connection.since = now;
  connection.sent = sent;
  const time = now - connection.rateSince;
  if (time < config.READ_TIMEOUT_MS) return true;
  if (sent - connection.sentBefore < (time / 1000) * config.MIN_READ_BYTES_PER_SECOND) return false;
  connection.rateSince = now;
  connection.sentBefore = sent;
  return true;
}

/** A stream is as fast as its reader: it only has to read at all. */
function readsStream(connection: ClientConnection, now: number, { READ_TIMEOUT_MS }: TimesConfig): boolean {
  const sent = sentBytes(connection.socket);
  if (sent !== connection.sent || connection.socket.writableLength === 0) connection.since = now;
  connection.sent = sent;
  return now - connection.since < READ_TIMEOUT_MS;
}

/** Ends connections: requests get `error`; half-sent replies and idle ones are cut. */
export function cutAll(connections: readonly ClientConnection[], error: AppError, endings: Endings): void {
  for (const connection of connections) {
    const { response, socket } = connection;
    if (!response || response.headersSent || connection.closesAt > 0) {
      endings.drop(connection);
    } else {
      endings.refuse(connection, error, {});
      socket.once('finish', () => endings.drop(connection));
    }
  }
}

async function refuseHalfBody(
  connection: ClientConnection,
  { BODY_TIMEOUT_MS }: TimesConfig,
  endings: Endings,
): Promise<void> {
  const { caller, charge } = connection.request?.access ?? {};
  connection.since = Infinity;
  const decision = await charge?.take(1).catch(() => undefined);
  const headers = caller?.kind === 'key' && decision ? rateLimitHeaders(decision) : {};
  const message = `The body of the request did not arrive within the allowed ${BODY_TIMEOUT_MS} ms`;
  endings.refuse(connection, new AppError('REQUEST_TIMEOUT', message), headers);
}
