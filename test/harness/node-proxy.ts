import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterNext, type Call, spoil, type Spoiling } from './node-spoil.js';
import { Random } from './random.js';

/**
 * What goes wrong between a follower and a node. Each is the part of the calls that it happens to, from 0 to
 * 1, or a number. A test changes them while the proxy runs.
 */
export interface NodeFaults {
  /** Milliseconds before each answer, at most. */
  delayMs: number;
  /** No answer ever comes. */
  silence: number;
  /** The connection ends within the answer. */
  cut: number;
  /** 429. */
  tooMany: number;
  /** 503 without a text of a node. */
  unavailable: number;
  /** Paths that begin with one of these answer 503 `not done bootstrapping`. */
  bootstrapping: string[];
  /** Heads are so many blocks lower. */
  lag: number;
  /** A head that was named before is named again. */
  oldHead: number;
  /** The block after the wanted one comes. */
  swap: number;
  /** One digit of the bytes is another; the checksum is not. */
  flip: number;
  /** One digit of the bytes is another, and the checksum is theirs. */
  forge: number;
  /** A list in the answer has nothing. */
  empty: number;
  /** It answers with `refusal`. */
  refused: number;
  /** Calls of a second, of which each one of a batch counts: more get `refusal`. 0: as many as there are. */
  perSecond: number;
  /** The same of a day, which has `dayMs` milliseconds. */
  perDay: number;
  dayMs: number;
  /** Calls of a batch: a larger one gets `refusal`. 0: any. */
  mostInBatch: number;
  refusal: Refusal;
}

/** What a server says that does not do what it is asked for. */
export interface Refusal {
  readonly status: number;
  readonly body: string;
}

/** An error of JSON-RPC under a status. */
export const rpcRefusal = (status: number, code: number, message: string): Refusal => ({
  status,
  body: JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }),
});

/** What happened so often. */
export type FaultCounts = Partial<Record<keyof NodeFaults, number>>;

export interface NodeProxy {
  readonly url: string;
  readonly faults: NodeFaults;
  readonly counts: FaultCounts;
  /** Calls that arrived. */
  readonly calls: () => number;
  /** Most calls that ran at a time, since the last question. */
  readonly mostAtOnce: () => number;
  close: () => Promise<void>;
}

export const noFaults: NodeFaults = {
  delayMs: 0,
  silence: 0,
  cut: 0,
  tooMany: 0,
  unavailable: 0,
  bootstrapping: [],
  lag: 0,
  oldHead: 0,
  swap: 0,
  flip: 0,
  forge: 0,
  empty: 0,
  refused: 0,
  perSecond: 0,
  perDay: 0,
  dayMs: 1000,
  mostInBatch: 0,
  refusal: { status: 429, body: 'rate limit exceeded' },
};

/** A proxy before a node that makes faults, which follow from a seed and the order of the calls. */
export async function openNodeProxy(
  target: string,
  options: { seed?: number; faults?: Partial<NodeFaults> } = {},
): Promise<NodeProxy> {
  const faults: NodeFaults = { ...noFaults, ...options.faults };
  const counts: FaultCounts = {};
  const state = { calls: 0, running: 0, most: 0, firstHeads: new Map<string, unknown>() };
  const limits = new Limits(faults, counts);
  const random = new Random(options.seed ?? 1);
  const happens = (fault: keyof NodeFaults) => {
    const now = random.chance(Number(faults[fault]));
    if (now) counts[fault] = (counts[fault] ?? 0) + 1;
    return now;
  };
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    state.calls += 1;
    state.running += 1;
    state.most = Math.max(state.most, state.running);
    response.on('close', () => (state.running -= 1));
    const between = { target, faults, happens, limits, random, firstHeads: state.firstHeads };
    void answer(between, request, response).catch(() => response.destroy());
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    counts,
    calls: () => state.calls,
    mostAtOnce: () => {
      const { most } = state;
      state.most = state.running;
      return most;
    },
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

interface Between extends Spoiling {
  target: string;
  limits: Limits;
}

/** What a server lets through. */
class Limits {
  private readonly used = { perSecond: { window: -1, calls: 0 }, perDay: { window: -1, calls: 0 } };

  constructor(
    private readonly faults: NodeFaults,
    private readonly counts: FaultCounts,
  ) {}

  /** The limit that so many calls at once exceed; those before it are counted. */
  exceededBy(calls: number): boolean {
    const { mostInBatch, dayMs } = this.faults;
    if (mostInBatch > 0 && calls > mostInBatch) return this.count('mostInBatch');
    return this.isOver('perSecond', 1000, calls) || this.isOver('perDay', dayMs, calls);
  }

  private isOver(limit: 'perSecond' | 'perDay', windowMs: number, calls: number): boolean {
    const most = this.faults[limit];
    if (most === 0) return false;
    const window = Math.floor(Date.now() / windowMs);
    const used = this.used[limit];
    if (used.window !== window) Object.assign(used, { window, calls: 0 });
    if (used.calls + calls > most) return this.count(limit);
    used.calls += calls;
    return false;
  }

  private count(limit: keyof NodeFaults): true {
    this.counts[limit] = (this.counts[limit] ?? 0) + 1;
    return true;
  }
}

async function answer(between: Between, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { faults, happens, random } = between;
  const body = await textOf(request);
  if (faults.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, random.next() * faults.delayMs));
  const path = request.url ?? '';
  if (happens('silence')) return;
  if (happens('tooMany')) return plain(response, 429, 'rate limit exceeded');
  if (happens('unavailable')) return plain(response, 503, '');
  if (faults.bootstrapping.some((start) => path.startsWith(start))) {
    return plain(response, 503, 'API call rejected because chain is not done bootstrapping');
  }
  const asked = JSON.parse(body) as Call | Call[];
  if (happens('refused') || between.limits.exceededBy([asked].flat().length))
    return refuse(response, faults.refusal, asked);
  const calls = [asked].flat().map((call) => (happens('swap') ? afterNext(call) : call));
  const reply = await ask(between.target, path, Array.isArray(asked) ? calls : calls[0]!);
  const text = reply.isJson ? spoil(between, calls, reply.text) : reply.text;
  response.writeHead(reply.status, { 'content-type': reply.type, 'content-length': Buffer.byteLength(text) });
  if (!happens('cut')) {
    response.end(text);
    return;
  }
  response.write(text.slice(0, Math.floor(text.length / 2)), () => response.destroy());
}

/** To one call, an error has its number. */
function refuse(response: ServerResponse, { status, body }: Refusal, asked: Call | Call[]): void {
  const isError = body.startsWith('{') && !Array.isArray(asked);
  const text = isError ? JSON.stringify({ ...(JSON.parse(body) as object), id: asked.id }) : body;
  response.writeHead(status, { 'content-type': isError ? 'application/json' : 'text/plain' }).end(text);
}

async function ask(
  target: string,
  path: string,
  asked: Call | Call[],
): Promise<{ status: number; type: string; text: string; isJson: boolean }> {
  const outgoing = forward(new URL(path, target), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  });
  outgoing.end(JSON.stringify(asked));
  const [reply] = (await once(outgoing, 'response')) as [IncomingMessage];
  const type = reply.headers['content-type'] ?? '';
  const text = await textOf(reply);
  return { status: reply.statusCode ?? 0, type, text, isJson: type.includes('json') };
}

async function textOf(stream: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function plain(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
}
