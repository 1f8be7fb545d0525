import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Config } from '../config.js';
import { AppError } from '../errors.js';
import type { Connections } from '../shield/connections.js';

/** How often Node checks for late heads, milliseconds: by default half a minute. */
const LOOK_MS = 500;

/** In addition to the codes of Node's errors. */
const NO_HOST = 'NO_HOST';
const SEVERAL_HOSTS = 'SEVERAL_HOSTS';
const WRONG_HOST = 'WRONG_HOST';
/** The parser of Node 20.19 accepts a header field without a name, which later ones refuse. */
const NO_NAME = 'NO_NAME';

/** Node's server with exact time limits, whose connections are tracked. */
export function createListener(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
  connections: Connections,
  config: Pick<Config, 'HEADERS_TIMEOUT_MS' | 'BODY_TIMEOUT_MS' | 'KEEP_ALIVE_TIMEOUT_MS'>,
): Server {
  const { HEADERS_TIMEOUT_MS, BODY_TIMEOUT_MS, KEEP_ALIVE_TIMEOUT_MS } = config;
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    const code = faultOf(request);
    if (code) refuseUnreadable({ code }, request.socket, connections);
    else connections.serve(request, response, handler);
  };
  const server = createServer(
    {
      connectionsCheckingInterval: LOOK_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      // The check of the connections comes first and knows whose body it is; this limit is for bodies that
      // are not read. It must be the larger one, because otherwise Node swaps the two.
      requestTimeout: HEADERS_TIMEOUT_MS + BODY_TIMEOUT_MS + 4 * LOOK_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      // Node's own refusal has no body.
      requireHostHeader: false,
    },
    serve,
  );
  // A client may close its side once it has sent its request, and still read the answer
  // (shield/connection-times.ts).
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
  // Node would answer 417 in its own words; an unknown expectation may be ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', serve);
  return server.on('connection', (socket) => connections.open(socket));
}

/** A name or address with or without a port (RFC 9110, section 7.2). */
const hostForm = /^(\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(:\d*)?$/i;

/** The code of a head that is not HTTP although Node accepts it. */
function faultOf({ headers, rawHeaders, httpVersion }: IncomingMessage): string | undefined {
  const { host } = headers;
  if (host === undefined) return httpVersion === '1.1' ? NO_HOST : faultOfNames(headers);
  // RFC 9112, section 3.2: two servers might each believe another one. Node takes the first.
  if (isRepeated(rawHeaders, 'host')) return SEVERAL_HOSTS;
  return hostForm.test(host) ? faultOfNames(headers) : WRONG_HOST;
}

function faultOfNames(headers: IncomingMessage['headers']): string | undefined {
  return headers[''] === undefined ? undefined : NO_NAME;
}

/** @param rawHeaders names and values in turn */
function isRepeated(rawHeaders: readonly string[], name: string): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const each = rawHeaders[index] as string;
    if (each.length === name.length && each.toLowerCase() === name) count += 1;
  }
  return count > 1;
}

/** Answers what Node itself refuses: what is not HTTP, arrives too late, or has a head too long. */
export function refuseUnreadable(
  error: Pick<NodeJS.ErrnoException, 'code'>,
  socket: Socket,
  connections: Connections,
): void {
  const connection = connections.of(socket);
  // What arrives after a refusal is read and dropped.
  if (connection && connection.closesAt > 0) return;
  const answered = connection?.message;
  // A client that has sent nothing yet, or is gone, gets no answer. Nor does one with an earlier request: it
  // would take the refusal for the answer to that.
  const isSilent = !socket.writable || socket.bytesRead === 0 || error.code === 'ECONNRESET';
  const isOfBody = answered !== undefined && !answered.complete;
  const isTaken = connection?.response ? connection.response.headersSent || !isOfBody : isOfBody;
  if (!connection || isSilent || isTaken) socket.destroy();
  else connections.refuse(connection, unreadable(error.code));
}

function unreadable(code: string | undefined): AppError {
  if (code === NO_HOST) return new AppError('BAD_USER_INPUT', 'The header host is missing');
  if (code === SEVERAL_HOSTS)
    return new AppError('BAD_USER_INPUT', 'The header host is there more than once; it must be there once');
  if (code === WRONG_HOST)
    return new AppError('BAD_USER_INPUT', 'The header host is not a host with or without a port');
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
