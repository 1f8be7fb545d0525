import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readMetadata } from '../../src/resources/nft/metadata/read.js';
import type { MetadataReason } from '../../src/resources/nft/metadata/error.js';
import { createOutbound } from '../../src/outbound/fetch.js';
import { hostileInline, hostileReplies, mebibyte, redirect, reply } from '../harness/hostile-documents.js';
import { serveJsonRpc } from '../harness/json-rpc.js';
import { type LoopbackServer, serveSockets } from '../harness/loopback.js';

const address = `0x${'cd'.repeat(20)}` as const;
const paths = Object.keys(hostileReplies);
let web: LoopbackServer;
let rpc: LoopbackServer;

beforeAll(async () => {
  web = await serveSockets((socket) => {
    socket.once('data', (request: Buffer) => {
      const path = /^GET \/([^ ?]*)/.exec(request.toString())?.[1] ?? '';
      const hops = /^hop(\d)$/.exec(path)?.[1];
      if (hops === undefined) hostileReplies[decodeURIComponent(path)]?.[0](socket);
      else (hops === '0' ? reply('{"name":"arrived"}') : redirect(`/hop${Number(hops) - 1}`))(socket);
    });
  });
  rpc = await serveJsonRpc({
    [address]: {
      tokenURI: (id) =>
        id < 1_000n
          ? `${web.url}/${encodeURIComponent(paths[Number(id)]!)}`
          : hostileInline[Number(id) - 1_000]![0],
    },
  });
});

afterAll(async () => {
  await web.close();
  await rpc.close();
});

async function failure(
  tokenId: number,
): Promise<{ reason: MetadataReason; message: string; retryable: boolean }> {
  const sources = {
    outbound: createOutbound({ allowLoopback: true, limits: { idleMs: 1_000, totalMs: 2_000 } }),
    rpcOf: () => Promise.resolve({ url: rpc.url, trusted: true }),
    gateways: { ipfs: undefined, arweave: undefined },
  };
  const token = { evmChainId: 1n, address, tokenId: BigInt(tokenId) };
  return readMetadata(token, sources, new AbortController().signal).then(
    ({ document }) => expect.unreachable(`read as ${document.raw?.slice(0, 100)}`),
    (error: { reason: MetadataReason; message: string; retryable: boolean }) => error,
  );
}

describe('a metadata server that sends', () => {
  test.each(paths.map((path, index): [string, number] => [path, index]))('%s fails', async (path, index) => {
    const { reason, message, retryable } = await failure(index);
    expect(reason).toBe(hostileReplies[path]![1]);
    expect(message).toMatch(/^[^\n]{10,250}$/);
    const passing = ['timeout', 'unreachable'].includes(reason) || /status (204|500)/.test(message);
    expect(retryable).toBe(passing);
  });

  test('more than is read is cut off: the bytes that were sent stay near the limit', async () => {
    let sent = 0;
    const flood = await serveSockets((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n');
      const more = () => {
        while (!socket.destroyed && socket.write(Buffer.alloc(65_536, 32))) sent += 65_536;
      };
      socket.on('drain', more);
      more();
    });
    const outbound = createOutbound({ allowLoopback: true });
    const request = outbound({ url: flood.url, name: 'the server', maxBytes: mebibyte });
    await expect(request).rejects.toMatchObject({ reason: 'too-large' });
    await flood.close();
    expect(sent).toBeLessThan(32 * mebibyte);
  });
});

describe('a document in its own address', () => {
  test.each(
    hostileInline.map(([text, reason], index): [string, string, number] => [
      text.slice(0, 60),
      reason,
      index,
    ]),
  )('%s fails', async (_text, reason, index) => {
    expect((await failure(1_000 + index)).reason).toBe(reason);
  });
});

describe('an outbound request', () => {
  test('follows three redirects', async () => {
    const outbound = createOutbound({ allowLoopback: true });
    const { status, body } = await outbound({ url: `${web.url}/hop3`, name: 'the server', maxBytes: 100 });
    expect([status, body.toString()]).toEqual([200, '{"name":"arrived"}']);
  });

  test('carries no cookie, referrer or credential, not even after a server set one', async () => {
    const requests: string[] = [];
    const server = await serveSockets((socket) => {
      socket.on('data', (data: Buffer) => {
        requests.push(data.toString());
        reply('', { 'set-cookie': 'a=b', location: `/next${requests.length}` }, '302 Found')(socket);
      });
    });
    const outbound = createOutbound({ allowLoopback: true });
    const request = outbound({ url: server.url, name: 'the server', maxBytes: 10 });
    await expect(request).rejects.toMatchObject({ reason: 'too-many-redirects' });
    expect(requests).toHaveLength(4);
    expect(requests.join('')).not.toMatch(/cookie|referer|authorization/i);
    await server.close();
  });

  test("keeps an operator's credentials with the operator's own server", async () => {
    const requests: string[] = [];
    const other = await serveSockets((socket) => {
      socket.on('data', (data: Buffer) => {
        requests.push(data.toString());
        reply('{}')(socket);
      });
    });
    const gateway = await serveSockets((socket) => {
      socket.on('data', (data: Buffer) => {
        requests.push(data.toString());
        redirect(other.url)(socket);
      });
    });
    const outbound = createOutbound({ allowLoopback: true });
    const url = gateway.url.replace('http://', 'http://user:secret@');
    await outbound({ url, trusted: true, name: 'the gateway', maxBytes: 10 });
    expect(requests[0]).toMatch(/authorization: Basic dXNlcjpzZWNyZXQ=/);
    expect(requests[1]).not.toMatch(/authorization/i);
    await other.close();
    await gateway.close();
  });

  test('ends with the reason of its signal when its caller gives up', async () => {
    const silent = await serveSockets(() => {});
    const outbound = createOutbound({ allowLoopback: true });
    const stop = new AbortController();
    const request = outbound({ url: silent.url, name: 'the server', maxBytes: 10, signal: stop.signal });
    const reason = new Error('shutting down');
    setTimeout(() => stop.abort(reason), 50);
    await expect(request).rejects.toBe(reason);
    await silent.close();
  });

  test('does not wait for a resolver that never answers', async () => {
    const outbound = createOutbound({ limits: { totalMs: 200 }, resolve: () => new Promise(() => {}) });
    const request = outbound({ url: 'http://slow.test/', name: 'the server', maxBytes: 10 });
    await expect(request).rejects.toMatchObject({ reason: 'timeout' });
  });
});
