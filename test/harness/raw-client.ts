import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestApp } from './app.js';
import { importRows } from './seed.js';
import { idOf, transactionRow, utxoRow } from './ledger-rows.js';

/**
 * A connection on which `text` is sent unchanged; the answer is read only on request.
 *
 * @param localAddress where it comes from, of 127.0.0.0/8
 */
export async function send(port: number, text: string, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

/** All that comes back until the gateway closes the connection. */
export async function readToEnd(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  if (!socket.closed) await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}

export const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nhost: x\r\n${more}\r\n`;

/** The head of a POST and the first byte of its body, of which `length` bytes are announced. */
export const halfPost = (length = 100, more = '') =>
  `POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n${more}\r\n{`;

/** The value of a gauge or counter of /metrics. */
export async function metric(port: number, name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

/** Waits until it is true, at most `seconds`. */
export async function until(holds: () => boolean | Promise<boolean>, seconds = 15): Promise<boolean> {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(20))
    if (await holds()) return true;
  return false;
}

/** Stores a transaction whose reply has several megabytes; its path. */
export async function importLargeTransaction({ storage }: TestApp): Promise<string> {
  const emittedUtxos = Array.from({ length: 6000 }, (_, index) =>
    utxoRow(`large ${index}`, { outputIndex: index, txHash: idOf('large') }),
  );
  await importRows(storage, 'mainnet.p-chain.transactions', [transactionRow('large', { emittedUtxos })]);
  return `/v1/networks/mainnet/blockchains/p-chain/transactions/${idOf('large')}`;
}
