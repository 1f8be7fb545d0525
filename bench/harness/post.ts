import { connect } from 'node:net';

/** The answers of a peer during a load. */
export interface Answered {
  requests: number;
  seconds: number;
  /** Of each request, milliseconds. */
  latencies: number[];
}

/**
 * Sends bodies to /graphql over keep-alive connections, one request at a time on each, until the time is
 * over. Each connection is a separate client of a server that trusts this one as a proxy, because one client
 * may use only a share of the gateway's pool. On bare sockets, because a client library uses more of the
 * processor than a fast peer does, and both share the machine.
 *
 * @param bodies sent in turn; a function gives one that was not sent before
 * @param options.duration milliseconds
 * @throws Error for a reply that is no 200, or has errors
 */
export async function post(
  port: number,
  bodies: readonly string[] | (() => string),
  options: { connections: number; duration: number },
): Promise<Answered> {
  const request = (body: string, client: number) =>
    Buffer.from(
      `POST /graphql HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\naccept: application/json\r\nx-forwarded-for: 10.0.0.${client}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  const latencies: number[] = [];
  const start = performance.now();
  const end = start + options.duration;
  let sent = 0;
  const client = (number: number) =>
    new Promise<void>((resolve, reject) => {
      const requests = typeof bodies === 'function' ? [] : bodies.map((body) => request(body, number));
      const take = () =>
        typeof bodies === 'function'
          ? request(bodies(), number)
          : (requests[sent % requests.length] as Buffer);
      const socket = connect(port, '127.0.0.1').setNoDelay();
      let received: Buffer = Buffer.alloc(0);
      let began = 0;
      const next = () => {
        if (performance.now() >= end) return socket.end(resolve);
        began = performance.now();
        socket.write(take());
        sent += 1;
      };
      socket.on('error', reject);
      socket.on('connect', next);
      socket.on('data', (chunk: Buffer) => {
        received = received.length > 0 ? Buffer.concat([received, chunk]) : chunk;
        const body = bodyOf(received);
        if (body === null) return;
        if (body === undefined)
          return reject(new Error(`port ${port}: ${received.toString('utf8', 0, 500)}`));
        latencies.push(performance.now() - began);
        received = Buffer.alloc(0);
        next();
      });
    });
  await Promise.all(Array.from({ length: options.connections }, (_none, index) => client(index + 1)));
  return { requests: latencies.length, seconds: (performance.now() - start) / 1000, latencies };
}

/** The body once it is complete; null before, undefined for a wrong answer. */
function bodyOf(received: Buffer): Buffer | null | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const head = received.toString('latin1', 0, end);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (!head.startsWith('HTTP/1.1 200') || length === undefined) return undefined;
  if (received.length < end + 4 + Number(length)) return null;
  const body = received.subarray(end + 4);
  return body.includes('"errors":') ? undefined : body;
}
