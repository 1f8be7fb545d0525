import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { excerptGenesis } from './excerpt-node.js';
import { freePort } from './free-port.js';

/** The program of a real node; tests that need it are skipped by name where this is not set. */
export const avalanchego = process.env['TEST_AVALANCHEGO'];

/** What a network begins with for one key, in nAVAX. */
export interface Allocation {
  /** 0x…, on the C-chain. */
  readonly ethAddr: string;
  /** X-custom1…. */
  readonly avaxAddr: string;
  /** On the X-chain. */
  readonly initialAmount: number;
  /** On the P-chain. */
  readonly unlockSchedule: readonly { readonly amount: number; readonly locktime?: number }[];
}

/** Of one chain: options of its node, and upgrades of its virtual machine. */
export interface ChainFiles {
  readonly config: object;
  readonly upgrade?: object;
}

/** A private network of one node, on loopback. */
export interface LiveNode {
  readonly url: string;
  /** Path of its genesis file. */
  readonly genesis: string;
  /** The result of a call. @throws with the node's error */
  ask: <Result>(path: string, method: string, params: unknown) => Promise<Result>;
  /** Writes files of a chain's configuration, which the next start reads. @param chain its id, or C */
  configure: (chain: string, files: ChainFiles) => void;
  /** Ends its process as an operator does, and waits. */
  stop: () => Promise<void>;
  /** Starts it on the same port and data, without waiting until it answers. */
  start: () => void;
  /** Waits until all three chains answer. */
  ready: () => Promise<void>;
  drop: () => Promise<void>;
}

/** Any that is no public network's. */
export const LIVE_NETWORK = 1341;
const READY_MS = 120_000;
/**
 * One node is the whole network: it asks nobody, and blocks wait for no other staker. Nothing but loopback is
 * bound or looked for.
 */
const flags = [
  '--sybil-protection-enabled=false',
  '--snow-sample-size=1',
  '--snow-quorum-size=1',
  '--http-host=127.0.0.1',
  '--staking-host=127.0.0.1',
  '--public-ip=127.0.0.1',
  '--bootstrap-ips=',
  '--bootstrap-ids=',
  '--log-level=warn',
  '--fd-limit=8192',
];

/**
 * Starts a network of its own, whose genesis gives these keys their first outputs.
 *
 * @param machines programs of virtual machines by their ids
 */
export async function startLiveNode(
  program: string,
  given: readonly Allocation[],
  machines: Readonly<Record<string, string>> = {},
): Promise<LiveNode> {
  const folder = mkdtempSync(join(tmpdir(), 'moraine-avalanchego-'));
  const genesis = join(folder, 'genesis.json');
  writeFileSync(genesis, JSON.stringify(genesisWith(given)));
  const [plugins, configs] = [join(folder, 'plugins'), join(folder, 'chains')];
  for (const each of [plugins, configs]) mkdirSync(each);
  for (const [vmId, path] of Object.entries(machines)) symlinkSync(path, join(plugins, vmId));
  const [httpPort, stakingPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${httpPort}`;
  const args = [
    ...flags,
    `--network-id=${LIVE_NETWORK}`,
    `--genesis-file=${genesis}`,
    `--data-dir=${join(folder, 'data')}`,
    `--http-port=${httpPort}`,
    `--staking-port=${stakingPort}`,
    `--plugin-dir=${plugins}`,
    `--chain-config-dir=${configs}`,
  ];
  const log = openSync(join(folder, 'log'), 'a');
  let child: ChildProcess;
  const start = () => {
    child = spawn(program, args, { stdio: ['ignore', log, log] });
  };
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    if (hasEnded()) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  const ask = <Result>(path: string, method: string, params: unknown) =>
    askNode<Result>(url + path, method, params);
  start();
  return {
    url,
    genesis,
    ask,
    start,
    configure: (chain, files) => {
      mkdirSync(join(configs, chain), { recursive: true });
      for (const [name, value] of Object.entries(files))
        writeFileSync(join(configs, chain, `${name}.json`), JSON.stringify(value));
    },
    stop: () => stop(),
    ready: async () => {
      for (const end = performance.now() + READY_MS; !(await isReady(ask)); await sleep(200))
        if (hasEnded() || performance.now() > end)
          throw new Error(`avalanchego is not ready:\n${readFileSync(join(folder, 'log'), 'utf8')}`);
    },
    drop: async () => {
      await stop('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The recorded network's genesis under another id, with more keys. */
function genesisWith(given: readonly Allocation[]): object {
  const genesis = JSON.parse(readFileSync(excerptGenesis, 'utf8')) as { allocations: object[] };
  return {
    ...genesis,
    networkID: LIVE_NETWORK,
    startTime: Math.floor(Date.now() / 1000) - 60,
    allocations: [...genesis.allocations, ...given],
  };
}

async function isReady(ask: LiveNode['ask']): Promise<boolean> {
  const chains = ['P', 'X', 'C'].map((chain) =>
    ask<{ isBootstrapped: boolean }>('/ext/info', 'info.isBootstrapped', { chain }),
  );
  const all = await Promise.all(chains).catch(() => []);
  return all.length > 0 && all.every(({ isBootstrapped }) => isBootstrapped);
}

async function askNode<Result>(url: string, method: string, params: unknown): Promise<Result> {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const text = await reply.text();
  const { result, error } = JSON.parse(text) as { result: Result; error?: object };
  if (error) throw new Error(`${method}: ${JSON.stringify(error)}`);
  return result;
}
