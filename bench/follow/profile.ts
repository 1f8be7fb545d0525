import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Processor time by what it was used for, microseconds. */
export type TimeByUse = Map<string, number>;

interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string }; children?: number[] }[];
  samples: number[];
  timeDeltas: number[];
}

const OTHER = 'other';
const ROWS = 'reading rows';
const WRITE = 'writing rows';

/** With FOLLOW_PROFILE=FOLDER each follower leaves its profile in a new folder there; null without. */
export const profileFolder = (checkout: string) =>
  process.env['FOLLOW_PROFILE'] ? join(process.env['FOLLOW_PROFILE'], checkout.replaceAll('/', '-')) : null;
export const profilerOptions = (checkout: string) => {
  const folder = profileFolder(checkout);
  return folder === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`];
};

/** The part that a frame belongs to; what it calls belongs to the same unless it has its own. */
const parts: readonly (readonly [RegExp, string])[] = [
  [/\/src\/follow\/node\/|\/node_modules\/undici\//, 'asking the node'],
  [/\/src\/avalanche\/codec\/|\/node_modules\/viem\//, 'decoding'],
  [/\/src\/follow\/(?:evm|shared)\//, 'proving and reading blocks of EVM chains'],
  [/\/src\/(?:follow\/staking|avalanche\/chain)\//, 'the state of stakers'],
  [/\/src\/follow\/primary\//, 'digesting'],
  [/\/src\/(?:write|storage)\/|\/node_modules\/pg/, WRITE],
];

/**
 * Reads the profile that Node.js left in a folder.
 *
 * @param used processor time of the process: a sample lasts longer where others have the processor
 * @param lastMs only the end of the profile counts, of so many milliseconds; all of it when absent
 */
export function timesOf(folder: string, used: number, lastMs = Infinity): TimeByUse {
  const [file = ''] = readdirSync(folder);
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Profile;
  const length = timeDeltas.reduce((sum, each) => sum + each, 0);
  const frames = new Map(nodes.map((node) => [node.id, node]));
  const callers = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const known = new Map(nodes.map(({ id }) => [id, partOf(id, frames, callers)]));
  const sums: TimeByUse = new Map();
  let at = 0;
  for (const [index, id] of samples.entries()) {
    const part = known.get(id) ?? OTHER;
    const delta = timeDeltas[index] ?? 0;
    at += delta;
    if (part !== 'idle' && length - at < lastMs * 1000) sums.set(part, (sums.get(part) ?? 0) + delta);
  }
  const all = [...sums.values()].reduce((sum, time) => sum + time, 0);
  const sorted = [...sums].sort(([, a], [, b]) => b - a);
  return new Map(sorted.map(([name, time]) => [name, (time * used) / all]));
}

function partOf(
  leaf: number,
  frames: ReadonlyMap<number, Profile['nodes'][number]>,
  callers: ReadonlyMap<number, number>,
): string {
  let isOfRows = false;
  for (let id: number | undefined = leaf; id !== undefined; id = callers.get(id)) {
    const { functionName = '', url = '' } = frames.get(id)?.callFrame ?? {};
    if (functionName === '(idle)') return 'idle';
    if (functionName === '(garbage collector)') return 'garbage collection';
    if (functionName === 'readOwn') return ROWS;
    const [, part] = parts.find(([pattern]) => pattern.test(url)) ?? [];
    if (part !== undefined) return part;
    isOfRows ||= /\/src\/(?:resources|rows)\//.test(url);
  }
  // After an await nothing says who called it; only writing waits.
  return isOfRows ? WRITE : OTHER;
}
