import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Answer } from './send.js';

/** Waits until so many requests of a gateway are under way. */
export async function inFlight(url: string, count: number): Promise<void> {
  for (;;) {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    if (Number(/moraine_http_requests_in_flight (\d+)/.exec(metrics)?.[1]) >= count) return;
    await sleep(20);
  }
}

/** A connection on which `text` was sent, and all that comes back until it is closed. */
export function open(url: string, text: string): { socket: Socket; reply: Promise<string> } {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let reply = '';
  socket.on('error', () => undefined).on('data', (data) => (reply += String(data)));
  socket.write(text);
  return { socket, reply: new Promise((resolve) => socket.once('close', () => resolve(reply))) };
}

/**
 * A request that a gateway cut off because it shuts down got an answer that says so, in the form of every
 * refusal.
 */
export function expectShutDown(reply: string): void {
  expect(reply).toMatch(/^HTTP\/1\.1 503 /);
  expect(reply).toMatch(/\r\nconnection: close\r\n/i);
  expect(JSON.parse(reply.split('\r\n\r\n')[1] ?? '')).toMatchObject({
    statusCode: 503,
    error: 'Service Unavailable',
    message: expect.stringContaining('shutting down') as string,
  });
}

/** Sends bytes on a connection of their own, and reads until the gateway closes it. */
export async function sendBytes(url: string, text: string): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  let reply = '';
  socket.on('data', (data) => (reply += String(data)));
  socket.write(text);
  await once(socket, 'close');
  const [head = '', body = ''] = reply.split('\r\n\r\n');
  const headers = Object.fromEntries(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => line.toLowerCase().split(/:\s*/, 2) as [string, string]),
  );
  return { status: Number(head.split(' ')[1]), headers, text: body };
}
