import { Pool } from 'undici';
import { endedTime, processorTime, serverTime } from '../harness/processor.js';
import type { Gateway } from '../harness/gateway.js';
import type { Case } from './documents.js';

interface Reply {
  data?: unknown;
  errors?: { message: string }[];
  extensions?: { cost: { asked: number; charged: number } };
}

export type Ask = (query: string) => Promise<Reply>;

/** What one request of a case takes and pays. */
export interface Measured {
  name: string;
  /** Milliseconds of the gateway, and of PostgreSQL. */
  node: number;
  server: number;
  /** The cost that MAX_COST limits; NaN for REST. */
  asked: number;
  /** Requests of the plan. */
  charged: number;
}

/**
 * Requests before the first measured one: the second of a document plans it, each connection plans its
 * statement.
 */
const WARM_UP = 12;
const LEAST = 5;

/** Asks a gateway over one connection. */
export class Asker {
  private readonly pool: Pool;

  constructor(
    private readonly gateway: Gateway,
    /** The process of PostgreSQL. */
    private readonly server: number,
  ) {
    this.pool = new Pool(gateway.origin, { connections: 1 });
  }

  readonly ask: Ask = async (query) => {
    const { body } = await this.pool.request({
      method: 'POST',
      path: '/graphql',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    const reply = (await body.json()) as Reply;
    if (reply.errors) throw new Error(`${query}: ${JSON.stringify(reply.errors)}`);
    return reply;
  };

  close(): Promise<void> {
    return this.pool.close();
  }

  /** @param milliseconds how long a case is measured */
  async measure({ name, query, path }: Case, milliseconds: number): Promise<Measured> {
    let number = 0;
    let last: Reply = {};
    const send = async () => {
      number += 1;
      if (path === undefined)
        last = await this.ask(typeof query === 'function' ? query(number) : (query ?? ''));
      else await this.get(path);
    };
    for (let times = 0; times < WARM_UP; times += 1) await send();
    const times = () => [
      processorTime(this.gateway.child.pid ?? 0),
      serverTime(this.server) + endedTime(this.server),
    ];
    const before = times();
    const end = performance.now() + milliseconds;
    let requests = 0;
    for (; requests < LEAST || performance.now() < end; requests += 1) await send();
    const [node = NaN, server = NaN] = times().map(
      (time, index) => (time - (before[index] ?? 0)) / requests / 1000,
    );
    const { asked = NaN, charged = 1 } = last.extensions?.cost ?? {};
    return { name, node, server, asked, charged };
  }

  private async get(path: string): Promise<void> {
    const { statusCode, body } = await this.pool.request({ method: 'GET', path });
    await body.dump({ limit: 10_000_000 });
    if (statusCode !== 200) throw new Error(`${path}: ${statusCode}`);
  }
}
