import { fork, type ChildProcess } from 'node:child_process';
import type { Server as HttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';

/**
 * Listeners beside a server's own. More of them let more in at once, and make each turn of the event loop longer for those
 * who are in: with 8 turns took 60 ms under attack, with 3 they took 20.
 */
const MORE = 3;
/** How long they may take to come, milliseconds. */
const PATIENCE_MS = 10_000;

const child = fileURLToPath(new URL('./more-listeners-child.js', import.meta.url));

/**
 * Has a server that listens take several new connections in a turn of the event loop. libuv takes one for each listening
 * descriptor in a turn (since 1.45), so that whoever connects while turns are long waits behind all that knocked before:
 * seconds, while a few hundred hostile sockets come again and again. Node makes no second descriptor of a socket itself, but
 * hands handles to other processes: one that lasts a moment gives them back (docs/decisions/0036-listeners.md).
 *
 * @returns closes them; connections that they took go on
 */
export function listenMore(server: HttpServer, log: Logger): () => void {
  const listeners: Server[] = [];
  let closed = false;
  const look = (error?: unknown) => {
    if (!closed && listeners.length < MORE)
      log.warn({ err: error }, 'new connections are accepted one at a time, one per turn of the event loop');
  };
  const helper = startHelper(look);
  const timer = setTimeout(() => helper?.kill('SIGKILL'), PATIENCE_MS).unref();
  helper?.on('message', (_message, handle) => {
    if (closed) return;
    // As Node has it for its own HTTP servers.
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

/** Undefined where the system starts no process for us. */
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
