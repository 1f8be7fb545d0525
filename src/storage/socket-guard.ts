import type { Socket } from 'node:net';
import type pg from 'pg';
import { ReplyTooLarge } from './reply-bytes.js';

/**
 * Receives what arrives on a connection before pg does. pg's parser and everything after it run in a handler
 * of the socket, where nothing catches an error, such as a text too long for a string: that would end the
 * process.
 */
export class SocketGuard {
  /** Most bytes that the running statement may return; null: any number. */
  most: number | null = null;
  private heard = 0;

  /**
   * Breaks off a connection that receives more than it may, or what cannot be parsed. Call it before it is
   * connected.
   */
  static of(connection: pg.Connection): SocketGuard {
    const guard = new SocketGuard();
    const heard = connection as unknown as Listening;
    const attach = heard.attachListeners.bind(connection);
    heard.attachListeners = (stream) => attach(guard.around(stream as Socket));
    connection.on('readyForQuery', () => (guard.heard = 0));
    return guard;
  }

  /** Attached to a socket like pg's parser: by its `data` and `end`. */
  private around(stream: Socket): SocketEvents {
    const on = (event: string, listener: (chunk: Buffer) => void) => {
      if (event !== 'data') return stream.on(event, listener);
      return stream.on(event, (chunk: Buffer) => {
        try {
          this.count(chunk.length);
          listener(chunk);
        } catch (error) {
          stream.destroy(givenUp(error as Error));
        }
      });
    };
    return { on } as SocketEvents;
  }

  private count(bytes: number): void {
    this.heard += bytes;
    if (this.most !== null && this.heard > this.most) throw new ReplyTooLarge(this.most);
  }
}

function givenUp(error: Error): Error {
  if (error instanceof ReplyTooLarge) return error;
  return new Error(`Connection terminated: the database's answer is not valid: ${error.message}`, {
    cause: error,
  });
}

type SocketEvents = Pick<Socket, 'on'>;

/** What pg does to read a socket, and does not declare. */
interface Listening {
  attachListeners: (stream: SocketEvents) => void;
}
