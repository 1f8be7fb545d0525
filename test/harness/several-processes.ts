import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { launch, served, type Launched } from './launched.js';

/** A gateway of several processes. */
export interface SeveralProcesses extends Launched {
  url: string;
  /** The ids of the processes that were last heard to listen, by place. */
  pids: () => Map<number, number>;
  /** The ids of all processes that have answered requests. */
  answered: () => Set<number>;
  /** Kills the process in a place, and waits until another one listens there. */
  kill: (slot: number) => Promise<void>;
}

/** @param env settings; REQUEST_LOG is on, to show which process answered */
export async function launchProcesses(count: number, env: Record<string, string>): Promise<SeveralProcesses> {
  const gateway = launch(['serve'], { PROCESSES: String(count), REQUEST_LOG: 'on', ...env });
  const url = await gateway.says(served);
  const said = follow(gateway.output);
  const pids = () => said().listening;
  // The first process says that all listen; lines that the others wrote before may come after it.
  while (pids().size < count && !gateway.hasEnded()) await sleep(20);
  return {
    ...gateway,
    url,
    pids,
    async kill(slot) {
      const killed = pids().get(slot) ?? 0;
      process.kill(killed, 'SIGKILL');
      while (pids().get(slot) === killed) await sleep(50);
    },
    answered: () => said().answered,
  };
}

interface LogLine {
  pid: number;
  /** The place of the process; the first has none. */
  process?: number;
  msg: string;
}

/**
 * The processes that say in a growing log that they listen, and that they answered; of tens of thousands of
 * lines each is read once.
 */
function follow(output: () => string) {
  const listening = new Map<number, number>();
  const answered = new Set<number>();
  let read = 0;
  return () => {
    const text = output();
    const end = text.lastIndexOf('\n') + 1;
    for (const line of text.slice(read, end).split('\n')) {
      if (!/"msg":"(Server listening|a (slow )?request)/.test(line)) continue;
      const { pid, process = 0, msg } = JSON.parse(line) as LogLine;
      if (msg.startsWith('Server listening')) listening.set(process, pid);
      else answered.add(pid);
    }
    read = end;
    return { listening, answered };
  };
}

export interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** One request on a connection of its own, which goes to whichever process is next. */
export async function askOnce(
  url: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: object } = {},
): Promise<Reply> {
  const dispatcher = new Agent({ pipelining: 0 });
  try {
    const reply = await request(url, {
      dispatcher,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body && { method: 'POST' as const, body: JSON.stringify(body) }),
      headersTimeout: 60_000,
      bodyTimeout: 60_000,
    });
    return { status: reply.statusCode, headers: reply.headers, text: await reply.body.text() };
  } finally {
    await dispatcher.destroy();
  }
}

/** Requests that go on until they are stopped. */
export interface Load {
  /** Waits until so many more requests were answered. */
  seen: (count: number) => Promise<void>;
  stop: () => Promise<{ statuses: Set<number>; lost: number }>;
}

/** Sends requests to an address again and again, each on a new connection, by so many clients. */
export function startLoad(url: string, clients: number): Load {
  const statuses: number[] = [];
  let lost = 0;
  let loaded = true;
  const all = Array.from({ length: clients }, async () => {
    while (loaded) {
      await askOnce(url).then(
        ({ status }) => statuses.push(status),
        () => (lost += 1),
      );
      // Without a pause the load would take the processor from what it waits for.
      await sleep(25);
    }
  });
  return {
    async seen(count) {
      const until = statuses.length + count;
      while (statuses.length < until) await sleep(20);
    },
    async stop() {
      loaded = false;
      await Promise.all(all);
      return { statuses: new Set(statuses), lost };
    },
  };
}

/** The value of a series in a scrape; undefined when it is missing. */
export function valueIn(scrape: string, series: string): number | undefined {
  const line = scrape.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}
