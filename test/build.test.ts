import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { screenOf } from './harness/screen.js';

const root = resolve(import.meta.dirname, '..');
const parts = ['bin', 'dist/.stamps', 'package-lock.json', 'package.json', 'prisma', 'prisma.config.ts'];
const sources = [
  'codegen.ts',
  'explorer',
  'packages',
  'schema.graphql',
  'src',
  'tsconfig.build.json',
  'tsconfig.json',
];

describe('a field and the document of a route that selects it, added together,', () => {
  let clone: string;
  const run = (command: string, ...values: string[]) => promisify(execFile)(command, values, { cwd: clone });
  const read = (file: string) => readFileSync(join(clone, file), 'utf8');

  beforeAll(() => {
    clone = mkdtempSync(join(tmpdir(), 'moraine-build-'));
    for (const part of [...parts, ...sources])
      cpSync(join(root, part), join(clone, part), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
    const last = '  return builder.toSchema();';
    expect(read('src/schema.ts')).toContain(last);
    writeFileSync(
      join(clone, 'src/schema.ts'),
      read('src/schema.ts').replace(
        last,
        `  builder.queryField('probe', (t) => t.string({ resolve: () => '' }));\n${last}`,
      ),
    );
    mkdirSync(join(clone, 'src/resources/probe'));
    writeFileSync(
      join(clone, 'src/resources/probe/rest.ts'),
      `import { graphql } from '../../generated/graphql/gql.js';

export const probe = graphql(\`
  query Probe {
    probe
    utxos(network: fuji, blockchainId: "p-chain") {
      json
    }
  }
\`);
`,
    );
  });

  afterAll(() => rmSync(clone, { recursive: true, force: true }));

  test('are printed by npm run schema, without what is internal', async () => {
    await run('npm', 'run', 'schema');
    expect(read('schema.graphql')).toMatch(/^ {2}probe: String$/m);
    expect(read('schema.graphql')).not.toMatch(/^ {2}json:|JsonText/m);
    expect(read('src/generated/graphql/graphql.ts')).toMatch(/ProbeQuery = /);
  });

  test('are built, the internal field of the document too; a terminal shows one line', async () => {
    rmSync(join(clone, 'dist/.stamps/GraphQL-documents'));
    const build = `'${process.execPath}' bin/build.mjs documents`;
    const { stdout } = await run('script', '-qec', build, '/dev/null');
    expect(stdout).toContain('building the GraphQL documents…');
    expect(screenOf(stdout)).toEqual([expect.stringMatching(/^built in \d+ s$/)]);
    expect(read('src/generated/graphql/graphql.ts')).toMatch(/ProbeQuery = .*probe: string.*json: string/s);
  });
});
