import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Answer {
  result?: unknown;
  error?: { code: number; message: string };
}

/**
 * A node whose answers are passed on byte for byte, except those to one method, which `alter` changes in
 * place.
 */
export async function startWithOneMethodAltered(
  target: string,
  method: string,
  alter: (answer: Answer) => void,
): Promise<{ readonly url: string; close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const headers = { 'content-type': 'application/json' };
      void fetch(`${target}${request.url}`, { method: 'POST', headers, body })
        .then(async (reply) => {
          const text = await reply.text();
          response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? '' });
          response.end(body.includes(`"${method}"`) ? altered(text, alter) : text);
        })
        .catch(() => response.destroy());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function altered(text: string, alter: (answer: Answer) => void): string {
  const answer = JSON.parse(text) as Answer;
  alter(answer);
  return JSON.stringify(answer);
}
