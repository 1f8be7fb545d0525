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
  kill: (place: number) => Promise<void>;
}

/** @param env settings; REQUEST_LOG is on, so that one sees who answered */
export async function launchProcesses(count: number, env: Record<string, string>): Promise<SeveralProcesses> {
  const gateway = launch(['serve'], { PROCESSES: String(count), REQUEST_LOG: 'on', ...env });
  const url = await gateway.says(served);
  const pids = () => new Map(said(gateway.output(), /^Server listening/));
  // The first process says that all listen; what the others wrote before may come after it.
  while (pids().size < count && !gateway.hasEnded()) await sleep(20);
  return {
    ...gateway,
    url,
    pids,
    async kill(place) {
      const killed = pids().get(place) ?? 0;
      process.kill(killed, 'SIGKILL');
      while (pids().get(place) === killed) await sleep(50);
    },
    answered: () => new Set(said(gateway.output(), /^a (slow )?request/).map(([, pid]) => pid)),
  };
}

/** Who said something in a log: the place of the process and its id. Only lines that may say it are parsed, of thousands. */
function said(log: string, message: RegExp): (readonly [place: number, pid: number])[] {
  const phrase = message.source.replace('^', '"msg":"');
  return [...log.matchAll(new RegExp(`^\\{.*${phrase}.*$`, 'gm'))].flatMap(([line]) => {
    const { pid, process = 0, msg } = JSON.parse(line) as { pid: number; process?: number; msg: string };
    return message.test(msg) ? [[process, pid] as const] : [];
  });
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
      ...{ dispatcher, headers: { 'content-type': 'application/json', ...headers } },
      ...(body && { method: 'POST' as const, body: JSON.stringify(body) }),
      ...{ headersTimeout: 60_000, bodyTimeout: 60_000 },
    });
    return { status: reply.statusCode, headers: reply.headers, text: await reply.body.text() };
  } finally {
    await dispatcher.destroy();
  }
}

/** The value of a series in a scrape; undefined when it is not told. */
export function valueIn(scrape: string, series: string): number | undefined {
  const line = scrape.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}
