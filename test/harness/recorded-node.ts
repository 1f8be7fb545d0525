import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { until } from './embedded.js';
import { freePort } from './free-port.js';
import type { Heads } from './node-server.js';

const folder = new URL('../../../shared/node/', import.meta.url);
const program = fileURLToPath(new URL('recorded-node.mjs', folder));

/**
 * Recordings of whole networks next to the checkout; tests that need them are skipped by name if they are
 * missing.
 */
export const hasRecordedNode = existsSync(program);

export type RecordedNetwork = 'network-a' | 'network-c';

/** With TEST_NETWORKS=all, what runs on one network to save time runs on both: see CONTRIBUTING.md. */
export const isOnAllNetworks = process.env['TEST_NETWORKS'] === 'all';
/** The networks of a suite that runs on one. */
export const networksOf = (usual: RecordedNetwork): readonly RecordedNetwork[] =>
  isOnAllNetworks ? ['network-a', 'network-c'] : [usual];

/** The path of a file of a recording. */
export function recordedFile(network: RecordedNetwork, file: string): string {
  return fileURLToPath(new URL(`${network}/${file}`, folder));
}

export interface RecordedNodeOptions {
  /** Where the heads stand first; at their ends when absent. */
  readonly heads?: Partial<Heads>;
  /** Each chain grows by a block every so many milliseconds. */
  readonly growMs?: number;
  /** Milliseconds before each answer. */
  readonly latencyMs?: number;
  /** A free one when absent: give it to start a node again under its address. */
  readonly port?: number;
}

export interface RecordedNode {
  readonly url: string;
  readonly port: number;
  /** Where the heads stand, and where they end. */
  heads: () => Promise<{ head: Heads; full: Heads }>;
  moveHeads: (heads: Partial<Heads>, growMs?: number) => Promise<void>;
  /** Ends its process; its port refuses connections. */
  close: () => Promise<void>;
}

/** Starts a process that answers from a recording, as the node did. */
export async function startRecordedNode(
  network: RecordedNetwork,
  options: RecordedNodeOptions = {},
): Promise<RecordedNode> {
  const port = options.port ?? (await freePort());
  const { heads = {}, growMs = 0, latencyMs = 0 } = options;
  const at = Object.entries(heads).map(([chain, height]) => `${chain}=${height}`);
  const given = ['--port', port, '--grow', growMs, '--latency', latencyMs].map(String);
  const child = spawn(
    process.execPath,
    [
      program,
      fileURLToPath(new URL(network, folder)),
      ...given,
      ...(at.length > 0 ? ['--head', at.join()] : []),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await started(child);
  const url = `http://127.0.0.1:${port}`;
  // It speaks before it listens.
  await until(() =>
    fetch(`${url}/control`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return {
    url,
    port,
    heads: async () => (await (await fetch(`${url}/control`)).json()) as { head: Heads; full: Heads },
    moveHeads: async (head, grow) => {
      await fetch(`${url}/control`, { method: 'POST', body: JSON.stringify({ head, grow }) });
    },
    close: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Until it says that it serves. */
async function started(child: ChildProcess): Promise<void> {
  const said = once(child.stdout!, 'data');
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the recorded node ended with ${String(code)}`);
  });
  await Promise.race([said, ended]);
  ended.catch(() => undefined);
  child.stdout!.resume();
}
