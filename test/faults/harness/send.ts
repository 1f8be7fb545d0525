import { Agent, request, type IncomingHttpHeaders } from 'node:http';

/** A request; a POST of JSON when it has a body. */
export interface Sent {
  path: string;
  post?: string;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Why there is no whole answer: the connection broke, or could not be made. */
  broke?: string;
}

export interface SendOptions {
  agent?: Agent;
  /** Headers, or what makes those of each request. */
  headers?: Record<string, string> | (() => Record<string, string>);
  /** The loopback address to come from, so that the caller is another one than the others. */
  localAddress?: string;
  /** Beyond it the request counts as never answered, milliseconds. */
  timeoutMs?: number;
}

const oneConnection = new Agent({ keepAlive: false });

/** Sends a request and reads the whole answer. Never throws: an answer that did not come says why. */
export function send(url: string, { path, post }: Sent, options: SendOptions = {}): Promise<Answer> {
  const { agent = oneConnection, headers = {}, localAddress, timeoutMs = 30_000 } = options;
  return new Promise((resolve) => {
    const type = post === undefined ? undefined : { 'content-type': 'application/json' };
    const own = typeof headers === 'function' ? headers() : headers;
    const client = request(`${url}${path}`, {
      method: post === undefined ? 'GET' : 'POST',
      agent,
      localAddress,
      headers: { ...type, ...own },
    });
    const done = (answer: Answer) => {
      clearTimeout(timer);
      resolve(answer);
    };
    const failed = (error: Error) => done({ status: 0, headers: {}, text: '', broke: error.message });
    const timer = setTimeout(() => {
      done({ status: 0, headers: {}, text: `no answer within ${timeoutMs} ms` });
      client.destroy();
    }, timeoutMs);
    client.on('error', failed).on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', failed);
      response.on('end', () =>
        done({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    client.end(post);
  });
}
