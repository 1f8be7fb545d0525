// Builds what is stale: the Prisma client, the GraphQL schema as text, the typed GraphQL documents and dist/. Type
// errors do not stop a start (`npm run check` reports them); a syntax error does.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const require = createRequire(import.meta.url);

/** What the gateway runs. */
const sources = ['src', 'packages/embedded-postgres-server/src'];

// Each needs what those before it make.
const steps = {
  client: {
    name: 'database client',
    inputs: ['prisma/schema.prisma', 'prisma.config.ts', 'package-lock.json'],
    output: 'src/generated/prisma/client.ts',
    command: [packageBin('prisma', 'prisma'), 'generate'],
  },
  schema: {
    name: 'GraphQL schema',
    inputs: [...sources, 'bin/print-schema.ts', 'package-lock.json'],
    // It is made before the documents, so that a field and a document that selects it may come together.
    except: /generated|rest\.ts$/,
    output: 'src/generated/schema.graphql',
    command: [packageBin('tsx', 'tsx'), 'bin/print-schema.ts'],
  },
  documents: {
    name: 'GraphQL documents',
    inputs: [
      ...['src/generated/schema.graphql', 'codegen.ts', 'package-lock.json'],
      ...['src/resources', 'explorer/documents'],
    ],
    except: /(?<!rest|codegen)\.ts$/,
    output: 'src/generated/graphql/gql.ts',
    command: [packageBin('@graphql-codegen/cli', 'graphql-codegen')],
  },
  gateway: {
    name: 'gateway',
    inputs: [...sources, 'sample', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'],
    output: 'dist/src/main.js',
    command: [packageBin('typescript', 'tsc'), '-p', 'tsconfig.build.json'],
  },
  // After the gateway, which empties dist/.
  explorer: {
    name: 'explorer',
    inputs: ['explorer', 'bin/build-explorer.mjs', 'package-lock.json'],
    output: 'dist/explorer/app.js',
    command: [join(root, 'bin/build-explorer.mjs')],
    prints: true,
  },
  // Of the package's entry alone; what runs in a clone needs none.
  types: {
    name: 'types',
    inputs: ['src/index.ts', 'tsconfig.types.json', 'tsconfig.json', 'package-lock.json'],
    output: 'dist/src/index.d.ts',
    command: [packageBin('typescript', 'tsc'), '-p', 'tsconfig.types.json'],
  },
};

const onTerminal = process.stderr.isTTY;
/** Lines that were written for people. */
let lines = 0;

/** Runs every step up to `last` whose inputs changed since its output was made. */
export async function build(last = 'explorer') {
  const begun = performance.now();
  for (const [key, step] of Object.entries(steps)) {
    await runIfStale(step);
    if (key === last) break;
  }
  if (onTerminal && lines > 0) say(`built in ${Math.round((performance.now() - begun) / 1000)} s`);
}

/** A line for people; on a terminal it replaces the one before. */
function say(line) {
  const over = onTerminal && lines > 0 ? '\u001b[A\r\u001b[K' : '';
  process.stderr.write(`${over}${line}\n`);
  lines += 1;
}

async function runIfStale(step) {
  const stamp = join(root, 'dist', '.stamps', step.name.replaceAll(' ', '-'));
  const digest = digestOf(step);
  const fresh = existsSync(join(root, step.output)) && existsSync(stamp);
  if (fresh && readFileSync(stamp, 'utf8') === digest) return;
  await run(step);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, digest);
}

async function run({ name, command, prints }) {
  say(`building the ${name}…`);
  if (name === 'gateway') {
    for (const entry of existsSync(join(root, 'dist')) ? readdirSync(join(root, 'dist')) : []) {
      if (entry !== '.stamps') rmSync(join(root, 'dist', entry), { recursive: true });
    }
  }
  const child = spawn(process.execPath, command, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  // A build that is interrupted leaves none behind.
  const kill = () => child.kill();
  process.once('exit', kill);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  const status = await new Promise((resolve) => child.once('close', resolve));
  process.off('exit', kill);
  if (status === 0 && prints) say(output.trim());
  if (status === 0) return;
  process.stderr.write(`${output}\nbuilding the ${name} failed\n`);
  process.exit(1);
}

/** The script behind a package's command, so that no shell and no `.bin` link is needed. */
function packageBin(packageName, binName) {
  const manifest = findManifest(packageName);
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8'));
  return join(dirname(manifest), typeof bin === 'string' ? bin : bin[binName]);
}

// Some packages do not export their package.json, so the folders are walked instead of resolved.
function findManifest(packageName) {
  for (const folder of require.resolve.paths(packageName) ?? []) {
    const manifest = join(folder, packageName, 'package.json');
    if (existsSync(manifest)) return manifest;
  }
  process.stderr.write(`${packageName} is not installed: run npm ci first\n`);
  process.exit(1);
}

function digestOf({ inputs, except }) {
  const hash = createHash('sha256');
  for (const input of inputs) {
    for (const file of filesUnder(join(root, input))) {
      const name = relative(root, file);
      if (!except?.test(name)) hash.update(name).update(readFileSync(file));
    }
  }
  return hash.digest('hex');
}

function filesUnder(path) {
  if (!existsSync(path)) return [];
  try {
    const entries = readdirSync(path, { withFileTypes: true, recursive: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
  } catch {
    return [path];
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await build(process.argv[2]);
