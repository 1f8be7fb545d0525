import { fork, type ChildProcess } from 'node:child_process';
import type { Server as HttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';

/**
 * Listeners in addition to the server's own. More of them accept more at once, and make each turn of the
 * event loop longer for those already connected: with 8 a turn took 60 ms under attack, with 3 it took 20.
 */
const MORE = 3;
/** How long to wait for them, milliseconds. */
const PATIENCE_MS = 10_000;

const child = fileURLToPath(new URL('./more-listeners-child.js', import.meta.url));

/**
 * Makes a listening server accept several new connections in a turn of the event loop. libuv accepts one for
 * each listening descriptor in a turn (since 1.45). So while turns are long, a new connection waits behind
 * all earlier ones: seconds, while a few hundred hostile sockets connect again and again. Node cannot
 * duplicate the descriptor of a socket, but it can pass handles to other processes: a short-lived one returns
 * them (docs/decisions/0036-listeners.md).
 *
 * @returns closes them; connections that they accepted stay open
 */
export function listenMore(server: HttpServer, log: Logger): () => void {
  const listeners: Server[] = [];
  let closed = false;
  const look = (error?: unknown) => {
    if (!closed && listeners.length < MORE)
      log.warn(
        { err: error },
        'the process that helps to accept connections could not be started: new connections are accepted more slowly',
      );
  };
  const helper = startHelper(look);
  const timer = setTimeout(() => helper?.kill('SIGKILL'), PATIENCE_MS).unref();
  helper?.on('message', (_message, handle) => {
    if (closed) return;
    // As Node sets it for its own HTTP servers.
    const listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
      server.emit('connection', socket),
    );
    listeners.push(listener.on('error', (error) => log.warn({ err: error }, 'a listener failed')));
    listener.listen(handle);
  });
  helper?.on('error', look).on('exit', () => {
    clearTimeout(timer);
    look();
  });
  helper?.send(MORE, (server as unknown as { _handle: never })._handle, () => undefined);
  return () => {
    closed = true;
    helper?.kill('SIGKILL');
    for (const each of listeners) each.close();
  };
}

/** Undefined if the system cannot start a process. */
function startHelper(failed: (error: unknown) => void): ChildProcess | undefined {
  try {
    const helper = fork(child, { execArgv: [], env: {}, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    helper.unref();
    helper.channel?.unref();
    return helper;
  } catch (error) {
    failed(error);
    return undefined;
  }
}
