import { Agent, request, type IncomingMessage } from 'node:http';

/** Streams of many clients of a gateway. */
export interface Streams {
  /** Events of each, and whether it has ended. */
  readonly received: readonly { events: number; hasEnded: boolean }[];
  close(): void;
}

/**
 * Opens streams, each on a connection of its own; resolves when all are subscribed.
 *
 * @param clients what each sends: its address, as a trusted proxy names it, and its variables
 * @param arrived called for each event with its data
 */
export async function openStreams(
  origin: string,
  query: string,
  clients: readonly { address: string; variables: object }[],
  arrived: (data: string) => void,
): Promise<Streams> {
  const agent = new Agent({ keepAlive: false, maxSockets: Infinity });
  const received = clients.map(() => ({ events: 0, hasEnded: false }));
  const closing: (() => void)[] = [];
  for (let from = 0; from < clients.length; from += 50) {
    const some = clients.slice(from, from + 50);
    await Promise.all(
      some.map(async ({ address, variables }, index) => {
        const own = received[from + index]!;
        const response = await post(
          `${origin}/graphql`,
          agent,
          address,
          JSON.stringify({ query, variables }),
        );
        closing.push(() => response.destroy());
        response.on('error', () => undefined).on('close', () => (own.hasEnded = true));
        await new Promise<void>((resolve, reject) => {
          let text = '';
          if (response.statusCode !== 200) reject(new Error(`a stream is answered ${response.statusCode}`));
          response.setEncoding('utf8').on('data', (chunk: string) => {
            text += chunk;
            const blocks = text.split('\n\n');
            text = blocks.pop() ?? '';
            for (const block of blocks) {
              if (block.startsWith(':')) resolve();
              else {
                own.events += 1;
                arrived(block);
              }
            }
          });
        });
      }),
    );
  }
  return { received, close: () => closing.forEach((each) => each()) };
}

const post = (url: string, agent: Agent, address: string, body: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      'x-forwarded-for': address,
    };
    request(url, { method: 'POST', agent, headers }, resolve).on('error', reject).end(body);
  });
