import type { Socket } from 'node:net';
import type pg from 'pg';
import { ReplyTooLarge } from './reply-bytes.js';

/**
 * What pg hears on a connection. Its parser and all that follows run in a handler of the socket, where nobody catches what
 * they throw, such as a text too long for a string: that would end the process.
 */
export class SocketGuard {
  /** Most bytes that the statement under way may bring; null: any number. */
  most: number | null = null;
  private heard = 0;

  /** Makes a connection give itself up that hears more than it may, or what cannot be read. Before it is connected. */
  static of(connection: pg.Connection): SocketGuard {
    const guard = new SocketGuard();
    const heard = connection as unknown as Listening;
    const attach = heard.attachListeners.bind(connection);
    heard.attachListeners = (stream) => attach(guard.around(stream as Socket));
    connection.on('readyForQuery', () => (guard.heard = 0));
    return guard;
  }

  /** As pg's parser is attached to a socket: by its `data` and `end`. */
  private around(stream: Socket): Heard {
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
    return { on } as Heard;
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

type Heard = Pick<Socket, 'on'>;

/** What pg does to hear a socket, and does not declare. */
interface Listening {
  attachListeners: (stream: Heard) => void;
}
