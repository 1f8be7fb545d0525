import type { RestReply, TestApp } from './app.js';

/** REST requests to a gateway that listens, by a caller with a key. */
export function doorAt(url: string, key: string): Pick<TestApp, 'get' | 'post'> {
  async function rest(path: string, request: RequestInit): Promise<RestReply> {
    const headers = { ...(request.headers as Record<string, string>), 'x-service-api-key': key };
    const reply = await fetch(`${url}${path}`, { ...request, headers });
    const text = await reply.text();
    const json = reply.headers.get('content-type')?.includes('json') && text !== '';
    return {
      status: reply.status,
      headers: Object.fromEntries(reply.headers),
      text,
      body: json ? (JSON.parse(text) as unknown) : undefined,
    };
  }
  return {
    get: (path, headers = {}) => rest(path, { headers }),
    post: (path, headers = {}, body) => rest(path, { method: 'POST', headers, body }),
  };
}
