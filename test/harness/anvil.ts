import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.js';

const cpu = process.arch === 'x64' ? 'amd64' : process.arch;
const folder = `../../node_modules/@foundry-rs/anvil-${process.platform}-${cpu}/bin/anvil`;
const program = fileURLToPath(new URL(folder, import.meta.url));

/** Whether the program is installed: npm has it for most platforms. */
export const hasAnvil = existsSync(program);

/** An Ethereum node of one process, with accounts that it signs for; each transaction is a block. */
export interface Anvil {
  readonly url: string;
  readonly call: <T>(method: string, ...params: unknown[]) => Promise<T>;
  readonly close: () => Promise<void>;
}

/** Starts one, on a free port if none is asked for. It is ended by `close`, and with this process. */
export async function startAnvil(chainId: number, hardfork = 'prague', asked?: number): Promise<Anvil> {
  const port = asked ?? (await freePort());
  const args = ['--port', String(port), '--chain-id', String(chainId), '--hardfork', hardfork, '--silent'];
  const child = spawn(program, args, { stdio: 'ignore' });
  const end = () => void child.kill('SIGKILL');
  process.once('exit', end);
  const url = `http://127.0.0.1:${port}`;
  const call = <T>(method: string, ...params: unknown[]) => ask<T>(url, method, params);
  const close = async () => {
    process.off('exit', end);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    end();
    await ended;
  };
  for (let tries = 0; ; tries += 1)
    try {
      await call('eth_chainId');
      return { url, call, close };
    } catch (error) {
      if (tries < 500 && child.exitCode === null) await sleep(20);
      else {
        await close();
        throw error;
      }
    }
}

async function ask<T>(url: string, method: string, params: unknown[]): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as { result: T; error?: { message: string } };
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}
