import { originOf, startGateway, type Gateway } from '../harness/gateway.js';
import { startProcess } from '../harness/processes.js';

const FIRST_PORT = 4710;
let started = 0;
const nextPort = () => FIRST_PORT + started++;

/**
 * The gateway of this checkout, and a floor that sends the same headers. @param path of which the headers are
 */
export async function startBoth(
  program: string,
  path: string,
  env: Record<string, string>,
  mode = '',
): Promise<{ gateway: Gateway; floor: Gateway; headers: string }> {
  const gateway = await startGateway(process.cwd(), env, nextPort());
  const headers = JSON.stringify(await headersOf(`${gateway.origin}${path}`));
  return { gateway, headers, floor: await startFloor(program, headers, env, mode) };
}

/** A floor of bench/peers. @param headers JSON of what it sends in addition to bodies */
export async function startFloor(
  program: string,
  headers: string,
  env: Record<string, string>,
  mode = '',
): Promise<Gateway> {
  const port = nextPort();
  const args = ['--import', 'tsx', `bench/peers/${program}`, String(port), headers, mode];
  return { child: await startProcess(args, env, originOf(port)), port, origin: originOf(port) };
}

/** The gateways of several checkouts, each on its own data. */
export const startGateways = (peers: readonly { checkout: string; env: Record<string, string> }[]) =>
  Promise.all(peers.map(({ checkout, env }) => startGateway(checkout, env, nextPort())));

// What the gateway sends in addition to the body, so that the floor sends as much.
async function headersOf(url: string): Promise<Record<string, string>> {
  const { headers } = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
  const own = ['content-length', 'date', 'connection', 'keep-alive', 'transfer-encoding'];
  return Object.fromEntries([...headers].filter(([name]) => !own.includes(name)));
}
