import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../errors.js';
import { errorReply } from '../rest/reply.js';
import { constantHeaders } from './constant-headers.js';

const RETRY_SECONDS = 5;
/** For the refusals to leave before their connections are destroyed, milliseconds. */
const FLUSH_MS = 100;

/**
 * Watches what a server is answering.
 *
 * @returns the function that ends it all: what has not begun to be answered is answered 503, then every connection is
 *   destroyed, whatever its client does
 */
export function watchReplies(server: Server): () => Promise<void> {
  // By connection, as the reply to a pipelined request that waits for its turn never says that it was closed.
  const open = new Map<Socket, Set<ServerResponse>>();
  server.on('connection', (socket: Socket) => {
    open.set(socket, new Set());
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', ({ socket }, reply: ServerResponse) => {
    const replies = open.get(socket);
    replies?.add(reply);
    reply.once('close', () => replies?.delete(reply));
  });
  return async () => {
    for (const reply of [...open.values()].flatMap((replies) => [...replies])) refuse(reply);
    await sleep(FLUSH_MS);
    server.closeAllConnections();
  };
}

function refuse(reply: ServerResponse): void {
  if (reply.headersSent || reply.destroyed) return;
  const { status, headers, body } = errorReply(
    new AppError(
      'SERVICE_UNAVAILABLE',
      'The service is shutting down and gave this request up; try again soon',
      {
        retryAfterSeconds: RETRY_SECONDS,
      },
    ),
  );
  reply.writeHead(status, {
    ...constantHeaders,
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    connection: 'close',
  });
  reply.end(body);
}
