import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../src');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.startsWith('generated'),
);

interface Import {
  from: string;
  to: string;
}

/** Imports of values between our own files, as paths below src. */
const imports: Import[] = files.flatMap((from) => {
  const text = readFileSync(join(root, from), 'utf8');
  return [...text.matchAll(/^(?:import|export)\s+(?!type\b)([^;]*?)from\s+'(\.[^']+)'/gm)]
    .filter(([, names]) => !isTypesOnly(names ?? ''))
    .map(([, , path]) => ({
      from,
      to: relative(root, resolve(root, dirname(from), path ?? '')).replace(/\.js$/, '.ts'),
    }));
});

function isTypesOnly(names: string): boolean {
  const inner = /^\{([^}]*)\}\s*$/.exec(names.trim())?.[1];
  return (
    inner !== undefined &&
    inner.split(',').every((name) => name.trim() === '' || name.trim().startsWith('type '))
  );
}

/** The rooms that a file of a room may import values from; a resource's roles are rooms of their own. */
const allowed: Record<string, string[]> = {
  config: [],
  stop: [],
  errors: [],
  gate: [],
  numbers: [],
  json: ['numbers'],
  avalanche: ['errors', 'numbers'],
  failure: ['errors', 'storage'],
  telemetry: ['config', 'errors'],
  storage: ['errors', 'generated', 'avalanche', 'stop'],
  paging: ['errors'],
  access: ['errors', 'gate', 'config', 'storage', 'generated', 'failure', 'telemetry'],
  jobs: ['errors', 'config', 'storage', 'json', 'numbers', 'avalanche', 'generated'],
  graphql: [
    'errors',
    'gate',
    'paging',
    'failure',
    'numbers',
    'json',
    'storage',
    'config',
    'access',
    'avalanche',
    'telemetry',
  ],
  rest: ['errors', 'paging', 'avalanche', 'numbers', 'graphql', 'json', 'config'],
  http: [
    'errors',
    'failure',
    'json',
    'rest',
    'graphql',
    'storage',
    'config',
    'access',
    'avalanche',
    'paging',
    'telemetry',
  ],
  ingest: ['errors', 'storage', 'json', 'numbers', 'avalanche', 'config', 'import', 'generated', 'resource'],
  export: ['errors', 'storage', 'avalanche', 'ingest', 'resource-export'],
  'resource-export': ['storage', 'avalanche', 'resource', 'resource-export', 'export'],
  schema: ['graphql', 'resource-schema'],
  'resource-schema': [
    'graphql',
    'paging',
    'errors',
    'avalanche',
    'numbers',
    'json',
    'loaders',
    'store',
    'resource',
    'resource-schema',
    'access',
    'config',
    'storage',
  ],
  'resource-rest': ['rest', 'errors', 'avalanche', 'numbers', 'paging', 'generated', 'resource', 'json'],
  loaders: ['graphql', 'store', 'resource', 'paging', 'avalanche', 'loaders', 'errors'],
  store: ['storage', 'paging', 'avalanche', 'errors', 'numbers', 'json', 'resource', 'store', 'generated'],
  import: [
    'ingest',
    'store',
    'storage',
    'avalanche',
    'errors',
    'numbers',
    'json',
    'resource',
    'import',
    'generated',
  ],
  job: ['jobs', 'store', 'storage', 'avalanche', 'errors', 'json', 'config', 'resource', 'generated'],
  // Helpers of one concept that know no role: rows, columns, queries, statements.
  resource: [
    'errors',
    'gate',
    'avalanche',
    'numbers',
    'json',
    'paging',
    'storage',
    'resource',
    'store',
    'ingest',
  ],
  generated: ['generated'],
};

/** Files where all rooms meet. */
const meeting = /^(main|app|serve|worker|open-database|closing|signals)\.ts$|^commands\//;

function roomOf(file: string): string {
  const [first = '', , role = ''] = file.split('/');
  if (first !== 'resources') return first.replace(/\.ts$/, '');
  if (/(^|-)schema\.ts$/.test(role)) return 'resource-schema';
  if (/(^|-)rest\.ts$/.test(role)) return 'resource-rest';
  if (role === 'export.ts') return 'resource-export';
  const known = /^(loaders|store|import|job)\.ts$/.exec(role)?.[1];
  return known ?? 'resource';
}

describe('the layers', () => {
  test('a file imports only rooms to its right', () => {
    const wrong = imports
      .filter(({ from }) => !meeting.test(from))
      .filter(({ from, to }) => {
        const [here, there] = [roomOf(from), roomOf(to)];
        return here !== there && !(allowed[here] ?? []).includes(there);
      })
      .map(({ from, to }) => `${from} -> ${to}`);
    expect(wrong).toEqual([]);
  });

  test('rest.ts and schema.ts never import each other', () => {
    const joints = imports.filter(
      ({ from, to }) => [roomOf(from), roomOf(to)].sort().join() === 'resource-rest,resource-schema',
    );
    expect(joints).toEqual([]);
  });

  test('no values circle', () => {
    const targets = new Map<string, string[]>();
    for (const { from, to } of imports) targets.set(from, [...(targets.get(from) ?? []), to]);
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (file: string, path: string[]): void => {
      if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
      if (done.has(file) || path.includes(file)) return;
      for (const next of targets.get(file) ?? []) visit(next, [...path, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
    expect(circles).toEqual([]);
  });

  test('process.env is read in config.ts alone', () => {
    const readers = files.filter((file) => readFileSync(join(root, file), 'utf8').includes('process.env'));
    expect(readers.filter((file) => file !== 'config.ts')).toEqual([]);
  });
});
