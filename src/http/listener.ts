import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Config } from '../config.js';
import { AppError } from '../errors.js';
import type { Connections } from './connections.js';

/** How often Node looks for heads that are late, milliseconds: by default half a minute. */
const LOOK_MS = 500;

/** Beside the codes of Node's errors. */
const NO_HOST = 'NO_HOST';

/** Node's server with times that hold, whose connections are known. */
export function createListener(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
  connections: Connections,
  config: Pick<Config, 'HEADERS_TIMEOUT_MS' | 'BODY_TIMEOUT_MS' | 'KEEP_ALIVE_TIMEOUT_MS'>,
): Server {
  const { HEADERS_TIMEOUT_MS, BODY_TIMEOUT_MS, KEEP_ALIVE_TIMEOUT_MS } = config;
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    const { headers, httpVersion, socket } = request;
    if (headers.host === undefined && httpVersion === '1.1')
      refuseUnreadable({ code: NO_HOST }, socket, connections);
    else connections.serve(request, response, handler);
  };
  const server = createServer(
    {
      connectionsCheckingInterval: LOOK_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      // The sweep of the connections comes first and knows whose body it is; this is for bodies that nobody reads. It
      // must be the larger one, for Node takes the two for each other when it is not.
      requestTimeout: HEADERS_TIMEOUT_MS + BODY_TIMEOUT_MS + 4 * LOOK_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      // Node's own refusal has no body.
      requireHostHeader: false,
    },
    serve,
  );
  // Whom Node would answer 417 in words of its own; an expectation that is not known may be passed over (RFC 9110,
  // section 10.1.1).
  server.on('checkExpectation', serve);
  return server.on('connection', (socket) => connections.open(socket));
}

/** Answers what Node itself refuses: what is not HTTP, comes too late, or has a head too long. */
export function refuseUnreadable(
  error: Pick<NodeJS.ErrnoException, 'code'>,
  socket: Socket,
  connections: Connections,
): void {
  const connection = connections.of(socket);
  // What still comes after a refusal is read and dropped.
  if (connection && connection.closesAt > 0) return;
  const answered = connection?.message;
  // A client that said nothing yet, or is gone, is told nothing. Nor is one whose earlier request has been answered or
  // will be: it would take the refusal for that answer.
  const isSilent = !socket.writable || socket.bytesRead === 0 || error.code === 'ECONNRESET';
  const isOfBody = answered !== undefined && !answered.complete;
  const isTaken = connection?.response ? connection.response.headersSent || !isOfBody : isOfBody;
  if (!connection || isSilent || isTaken) socket.destroy();
  else connections.refuse(connection, unreadable(error.code));
}

function unreadable(code: string | undefined): AppError {
  if (code === NO_HOST) return new AppError('BAD_USER_INPUT', 'The header host is missing');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new AppError('REQUEST_TIMEOUT', 'The request did not arrive within the allowed time');
  if (code === 'HPE_HEADER_OVERFLOW')
    return new AppError('HEADERS_TOO_LARGE', 'The head of the request is larger than the allowed 16 KiB');
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW')
    return new AppError(
      'PAYLOAD_TOO_LARGE',
      'The chunk extensions of the body are larger than the allowed 16 KiB',
    );
  return new AppError('BAD_USER_INPUT', 'The request is not valid HTTP/1.1');
}
