import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../src');

/** An import of one of our files by another, both as paths seen from src. */
export interface Import {
  from: string;
  to: string;
  /** How: only its types, values as the file is loaded, or values later. */
  of: 'types' | 'values' | 'later';
}

const filesUnder = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

/** The packages of this repository that could be published by themselves: the folders of `packages`. */
export const packages = readdirSync(resolve(root, '../packages'));

/**
 * Our source files, without generated ones: the gateway's as paths below src, others as `../sample/…` and
 * `../packages/<name>/src/…`.
 */
export const files = [
  ...filesUnder(root).filter((file) => !file.startsWith('generated')),
  ...['../sample', ...packages.map((name) => `../packages/${name}/src`)].flatMap((folder) =>
    filesUnder(resolve(root, folder)).map((file) => join(folder, file)),
  ),
];

export const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Every import between our files, including those of types only and `import()`. */
export const imports: Import[] = files.flatMap((from) => {
  const target = (path = '') => relative(root, resolve(root, dirname(from), path)).replace(/\.js$/, '.ts');
  const text = textOf(from);
  const declared = [...text.matchAll(/^(?:import|export)\s+([^;]*?)from\s+'(\.[^']+)'/gm)].map(
    ([, names = '', path]) => ({
      from,
      to: target(path),
      of: isTypesOnly(names.trim()) ? ('types' as const) : ('values' as const),
    }),
  );
  const later = [...text.matchAll(/\bimport\('(\.[^']+)'\)/g)].map(([, path]) => ({
    from,
    to: target(path),
    of: 'later' as const,
  }));
  return [...declared, ...later];
});

function isTypesOnly(names: string): boolean {
  if (/^type\b/.test(names)) return true;
  const inner = /^\{([^}]*)\}$/.exec(names)?.[1];
  return (
    inner !== undefined &&
    inner.split(',').every((name) => name.trim() === '' || name.trim().startsWith('type '))
  );
}

/**
 * The circles of a graph: its strongly connected components of more than one node (Tarjan), largest first,
 * each with its nodes sorted.
 */
export function circlesOf(edges: readonly Pick<Import, 'from' | 'to'>[]): string[][] {
  const targets = new Map<string, string[]>();
  for (const { from, to } of edges) targets.set(from, [...(targets.get(from) ?? []), to]);
  const index = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (node: string): number => {
    const number = index.size;
    index.set(node, number);
    lowest.set(node, number);
    open.push(node);
    for (const to of targets.get(node) ?? []) {
      const reached = index.has(to) ? (open.includes(to) ? (index.get(to) ?? number) : number) : visit(to);
      lowest.set(node, Math.min(lowest.get(node) ?? number, reached));
    }
    const low = lowest.get(node) ?? number;
    if (low === number) {
      const circle = open.splice(open.lastIndexOf(node));
      if (circle.length > 1) circles.push(circle.sort());
    }
    return low;
  };
  for (const { from } of edges) if (!index.has(from)) visit(from);
  return circles.sort((a, b) => b.length - a.length);
}
