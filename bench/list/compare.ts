import { load } from '../harness/load.js';
import { inRounds } from '../harness/rounds.js';

/** A server of requests. */
export interface Server {
  origin: string;
}

/** Rounds, and how long each and its warm-up last, milliseconds. */
export interface Length {
  rounds: number;
  duration: number;
  warmUp: number;
}

// Many short rounds: on a shared machine a disturbance of one peer for a second is then one round among many.
export const FULL: Length = { rounds: 25, duration: 1000, warmUp: 5000 };
export const SHORT: Length = { rounds: 3, duration: 300, warmUp: 1500 };
const CONNECTIONS = 16;

/**
 * Requests a second of each server for the same paths, in interleaved rounds; equal answers are checked
 * first.
 */
export async function ratesOf(
  servers: readonly Server[],
  paths: readonly string[],
  { rounds, duration, warmUp }: Length,
): Promise<number[][]> {
  for (const path of paths) await checkEqual(servers, path);
  const ask = ({ origin }: Server, duration: number) =>
    load(origin, paths, { connections: CONNECTIONS, duration });
  for (const server of servers) await ask(server, warmUp);
  return inRounds(servers, rounds, (server) => ask(server, duration));
}

/** @throws Error if a server's answer differs from that of the first one, byte for byte */
async function checkEqual(servers: readonly Server[], path: string): Promise<void> {
  const bodies = await Promise.all(
    servers.map(async ({ origin }) => {
      const reply = await fetch(`${origin}${path}`);
      if (reply.status !== 200) throw new Error(`${origin}${path} answered ${reply.status}`);
      // Tokens may differ.
      return (await reply.text()).replace(/"nextPageToken":"[^"]+"/, '"nextPageToken":""');
    }),
  );
  for (const body of bodies)
    if (body !== bodies[0]) throw new Error(`answers differ: ${path}\n${bodies[0]}\n${body}`);
}
