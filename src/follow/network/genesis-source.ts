import { readFile, stat } from 'node:fs/promises';
import { request } from 'undici';
import { genesisIds } from '../../avalanche/codec/genesis.js';
import { rebuildGenesis } from '../../avalanche/codec/genesis-bytes.js';
import { GenesisError } from '../../avalanche/codec/genesis-file.js';
import type { Genesis } from '../../avalanche/codec/types.js';
import { networks } from '../../avalanche/networks.js';
import { messageOf } from '../../errors.js';
import { parseJson } from '../../json.js';
import { FollowError } from '../errors.js';

/** Mainnet's has 3.5 MB. */
const LONGEST_FILE = 64 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

/**
 * Reads the genesis of a network from a file or an address that the operator named.
 *
 * @param expected CB58 of the genesis bytes' hash, as the node's block 0 names it
 * @throws FollowError when it cannot be read, is no genesis, or is that of another network
 */
export async function readGenesis(source: string, expected: string, signal: AbortSignal): Promise<Genesis> {
  const genesis = parseGenesis(source, await readText(source, signal));
  if (genesis.id === expected) return genesis;
  throw new FollowError(
    `${shown(source)} is the genesis of ${nameOf(genesis.id)}, and the node's network began with ${nameOf(expected)}. ` +
      'Nothing was written. Give the genesis file that the node was started with, or that of its public network.',
  );
}

const nameOf = (id: string) => {
  const network = networks.find((each) => genesisIds[each] === id);
  return network ? `${network} (${id})` : `another network (${id})`;
};

function parseGenesis(source: string, text: string): Genesis {
  try {
    return rebuildGenesis(parseJson(text));
  } catch (error) {
    const reason = error instanceof GenesisError ? error.message : 'it is not JSON';
    throw new FollowError(`${shown(source)} is not a genesis file of avalanchego: ${reason}.`);
  }
}

function readText(source: string, signal: AbortSignal): Promise<string> {
  return /^https?:\/\//i.test(source) ? download(source, signal) : readLocal(source);
}

async function readLocal(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > LONGEST_FILE) throw tooLong(path);
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof FollowError) throw error;
    throw new FollowError(`The genesis file ${path} cannot be read: ${messageOf(error)}.`);
  }
}

/** The operator's own address: it may be loopback or private, as a node's may. */
async function download(address: string, signal: AbortSignal): Promise<string> {
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const { statusCode, body } = await request(address, { signal: limit });
    if (statusCode === 200) return await readBounded(body, address);
    await body.dump();
    throw new FollowError(`${shown(address)} answered ${statusCode} instead of a genesis file.`);
  } catch (error) {
    if (error instanceof FollowError || signal.aborted) throw error;
    throw new FollowError(`The genesis file at ${shown(address)} cannot be read: ${messageOf(error)}.`);
  }
}

async function readBounded(body: AsyncIterable<Uint8Array>, address: string): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body) {
    bytes += part.length;
    // Leaving the loop closes the body.
    if (bytes > LONGEST_FILE) throw tooLong(address);
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

const tooLong = (source: string) =>
  new FollowError(
    `${shown(source)} is longer than ${LONGEST_FILE / 1024 / 1024} MiB, so it is not a genesis file.`,
  );

/** The address without its secrets. */
function shown(source: string): string {
  return /^https?:\/\//i.test(source) ? new URL(source).origin : source;
}
