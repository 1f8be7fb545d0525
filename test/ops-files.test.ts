import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../src/config.js';
import { settings } from '../src/config/settings.js';
import { compose, containerEnv, environments, gateways, ofUnit } from './harness/ops-files.js';
import { proxy, read, root, servers, timeOf, unit, withoutOtherCompilers } from './harness/ops-files.js';

const missing = (program: string, args: string[], debian: string) =>
  spawnSync(program, args).error
    ? ` (skipped: ${program} is not installed, Debian: apt install ${debian})`
    : '';

/** Variables that Node, the wrapper of compose.yaml and the embedded server's folder read; no settings. */
const foreign = ['NODE_ENV', 'TMPDIR', 'DATABASE_HOST', 'READ_DATABASE_HOST'];

test.each(environments)('%s sets what Moraine knows, to what it takes', (_name, env) => {
  const own = Object.keys(env).filter((name) => !foreign.includes(name));
  expect(own.filter((name) => !(name in settings))).toEqual([]);
  expect(own.length).toBeGreaterThan(0);
  expect(() => loadConfig(env)).not.toThrow();
});

test.each([
  'container/Containerfile',
  'compose/compose.yaml',
  'compose/haproxy.cfg',
  'systemd/moraine.service',
])('the words of %s name only settings that exist', (path) => {
  // Node's, the wrapper's of compose.yaml, the image's of PostgreSQL, systemd's.
  const others = /^(NODE_|(READ_)?DATABASE_HOST$|POSTGRES_PASSWORD_FILE$|AF_)/;
  const named = read(`ops/${path}`).match(/\b[A-Z]+(_[A-Z]+)+\b/g) ?? [];
  expect(named.filter((name) => !others.test(name) && !(name in settings))).toEqual([]);
});

const defaults = loadConfig({});

describe('the proxy', () => {
  test('knows each gateway by its name and port, and listens where it is published', () => {
    expect(servers).toEqual(gateways.map(([name]) => [name, containerEnv['PORT']]));
    const [, listens] = /^ +bind :(\d+)$/m.exec(proxy)!;
    expect(compose.services['proxy']!.ports!.map((each) => each.split(':').at(-1))).toEqual([listens]);
    expect(/^ +server gateway-standby .* backup$/m.test(proxy)).toBe(true);
  });

  test('has times that fit the settings', () => {
    expect(timeOf('timeout server')).toBeGreaterThan(defaults.REQUEST_TIMEOUT_MS);
    expect(timeOf('timeout client')).toBeGreaterThan(defaults.READ_TIMEOUT_MS);
    expect(timeOf('timeout http-keep-alive')).toBeLessThan(defaults.KEEP_ALIVE_TIMEOUT_MS);
    expect(2 * timeOf('check inter')).toBeLessThanOrEqual(defaults.SHUTDOWN_DELAY_MS);
  });

  test('asks /ready, and sends no request twice', () => {
    expect(proxy).toMatch(/^ +option httpchk GET \/ready$/m);
    expect(proxy.match(/^ +retry-on .*$/gm)).toEqual(['  retry-on conn-failure']);
  });

  const without = missing('haproxy', ['-v'], 'haproxy');
  test.skipIf(without)(`is taken by haproxy${without}`, () => {
    const { status, stderr } = spawnSync(
      'haproxy',
      ['-c', '-f', new URL('ops/compose/haproxy.cfg', root).pathname],
      {
        encoding: 'utf8',
      },
    );
    expect(status, stderr).toBe(0);
  });
});

describe('the unit', () => {
  test('starts a file that is there, and kills it later than it ends by itself', () => {
    const [, , path] = /^(\S+) \/opt\/moraine\/node_modules\/moraine\/(\S+) serve$/.exec(
      ofUnit('ExecStart').join(),
    )!;
    expect(existsSync(new URL(path!, root)), path).toBe(true);
    expect(Number(ofUnit('TimeoutStopSec'))).toBeGreaterThan(10);
    // Otherwise the server that it started would get the signal at the same time, and end before the last
    // reply.
    expect(ofUnit('KillMode')).toEqual(['mixed']);
    const env = Object.fromEntries(environments)['moraine.service']!;
    expect(env).toMatchObject({
      DATA_DIR: `/var/lib/${ofUnit('StateDirectory').join()}`,
      TMPDIR: `/run/${ofUnit('RuntimeDirectory').join()}`,
    });
  });

  const without = missing('systemd-analyze', ['--version'], 'systemd');
  test.skipIf(without)(`is taken by systemd, which calls it well confined${without}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'moraine-unit-'));
    const path = join(folder, 'moraine.service');
    // Node is where it is on this machine.
    writeFileSync(path, unit.replace('/usr/bin/node', process.execPath));
    const verified = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' });
    const analysed = spawnSync(
      'systemd-analyze',
      ['security', '--offline=true', '--no-pager', '--threshold=20', path],
      { encoding: 'utf8' },
    );
    rmSync(folder, { recursive: true });
    // It also reports other units of this machine.
    const complaints = verified.stderr.split('\n').filter((line) => line.includes('moraine.service'));
    expect(complaints).toEqual([]);
    expect(analysed.status, `${analysed.stdout}${analysed.stderr}`).toBe(0);
  });
});

test('docs/operating.md names each of these files, and none that there is not', () => {
  const guide = read('docs/operating.md');
  const named = [...new Set(guide.match(/\bops\/[\w./-]*\w/g))];
  expect(named.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
  for (const path of [
    'container/Containerfile',
    'compose/compose.yaml',
    'compose/haproxy.cfg',
    'systemd/moraine.service',
  ])
    expect(named, path).toContain(`ops/${path}`);
});

test('docs/operating.md leaves out of a service what the image leaves out', () => {
  expect(withoutOtherCompilers).not.toBe('');
  const inService = withoutOtherCompilers.replace('node_modules', '/opt/moraine/node_modules');
  expect(read('docs/operating.md').split('\n')).toContain(`sudo ${inService}`);
});
