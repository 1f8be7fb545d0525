import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../src/config.js';
import { settings } from '../src/config/settings.js';
import { createApp } from './harness/app.js';
import { freePort } from './harness/free-port.js';

const root = new URL('../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const missing = (program: string, args: string[], debian: string) =>
  spawnSync(program, args).error
    ? ` (skipped: ${program} is not installed, Debian: apt install ${debian})`
    : '';

const containerfile = read('ops/container/Containerfile');
const instructions = containerfile.replaceAll('\\\n', ' ').split('\n');
const argumentsOf = (instruction: string) =>
  instructions.filter((line) => line.startsWith(`${instruction} `)).map((line) => line.split(/ +/).slice(1));
const containerEnv = Object.fromEntries(argumentsOf('ENV').flatMap(assignments));

interface Service {
  environment?: Record<string, string>;
  entrypoint?: string[];
  ports?: string[];
  volumes?: string[];
  secrets?: string[];
  depends_on?: Record<string, unknown>;
  healthcheck?: object;
  deploy?: { resources: { limits: { cpus: string; memory: string } } };
  stop_grace_period?: string;
  networks?: Record<string, { ipv4_address: string }> | string[];
}
const compose = parse(read('ops/compose/compose.yaml'), { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
  secrets: Record<string, { file: string }>;
};
const services = Object.entries(compose.services);
const gateways = services.filter(([name]) => name.startsWith('gateway'));

const proxy = read('ops/compose/haproxy.cfg');
const timeOf = (name: string) => {
  const [, count, unit] = new RegExp(`^ +(?:default-server .*)?${name} (\\d+)(m?s)`, 'm').exec(proxy) ?? [];
  return Number(count) * (unit === 's' ? 1000 : 1);
};
const servers = [...proxy.matchAll(/^ +server \S+ ([\w-]+):(\d+)/gm)].map(([, host, port]) => [host, port]);

const unit = read('ops/systemd/moraine.service');
const ofUnit = (key: string) =>
  [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) => value!);

function assignments(words: string[]): [string, string][] {
  return words.map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]);
}

/** What Node, the wrapper of compose.yaml and the embedded server's place read; no settings. */
const foreign = ['NODE_ENV', 'TMPDIR', 'DATABASE_HOST'];
const composeEnv = ({ environment = {} }: Service) =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, value.replace(/\$\{\w+:-([^}]*)\}/, '$1')]),
  );
const environments: [string, Record<string, string>][] = [
  ['Containerfile', containerEnv],
  [
    'moraine.service',
    Object.fromEntries(assignments(ofUnit('Environment').flatMap((line) => line.split(' ')))),
  ],
  ...gateways.map(([name, service]): [string, Record<string, string>] => [name, composeEnv(service)]),
];

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
  const others =
    /^(NODE_|DATABASE_HOST|POSTGRES_PASSWORD_FILE|AF_|PUBLIC_URL$)/; /* Node's, the images' own, systemd's */
  const named = read(`ops/${path}`).match(/\b[A-Z]+(_[A-Z]+)+\b/g) ?? [];
  expect(named.filter((name) => !others.test(name) && !(name in settings))).toEqual([]);
});

describe('the image', () => {
  test('has a Node that package.json takes', () => {
    const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
    const [, major, minor] = /^>=(\d+)\.(\d+)$/.exec(engines.node)!.map(Number);
    const [, image] = /^ARG NODE_IMAGE=.*\/node:(\d+)-[a-z]+-slim$/m.exec(containerfile)!.map(Number);
    // The tag names no minor version, so any of that major must do.
    expect(image! > major! || (image === major && minor === 0)).toBe(true);
  });

  test('is made of files that exist and that the build sees', () => {
    const seen = read('ops/container/.containerignore').split('\n');
    const sources = argumentsOf('COPY')
      .filter(([first]) => !first!.startsWith('--from'))
      .flatMap((words) => words.slice(0, -1));
    expect(sources.length).toBeGreaterThan(10);
    expect(sources.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
    expect(sources.filter((path) => !seen.includes(`!${path.split('/')[0]}`))).toEqual([]);
  });

  test('runs as nobody that PostgreSQL refuses, with its data on a volume', () => {
    expect(argumentsOf('USER').at(-1)).toEqual(['10001:10001']);
    expect(containerfile).toMatch(/useradd --uid 10001 .* moraine\n?/);
    expect(argumentsOf('VOLUME')).toEqual([[containerEnv['DATA_DIR']]]);
    expect(argumentsOf('EXPOSE')).toEqual([[containerEnv['PORT']]]);
  });

  test('has a health check that succeeds at a gateway and fails where there is none', async () => {
    const line = instructions.find((each) => each.startsWith('HEALTHCHECK'))!;
    const [node, ...args] = JSON.parse(line.slice(line.indexOf('['))) as [string, ...string[]];
    expect(node).toBe('node');
    const check = async (port: number) => {
      const child = spawn(process.execPath, args, { env: { PORT: String(port) }, stdio: 'ignore' });
      return ((await once(child, 'close')) as [number])[0];
    };
    const gateway = await createApp();
    const port = await freePort();
    await gateway.app.listen({ host: '127.0.0.1', port });
    expect(await check(port)).toBe(0);
    await gateway.close();
    expect(await check(port)).toBe(1);
  });
});

describe('the compose file', () => {
  test('mounts files that exist, and knows every volume, secret and service that is named', () => {
    for (const [name, { volumes = [], secrets = [], depends_on = {} }] of services) {
      for (const [source] of volumes.map((each) => each.split(':'))) {
        if (source!.startsWith('.'))
          expect(existsSync(new URL(`ops/compose/${source}`, root)), source).toBe(true);
        else expect(Object.keys(compose.volumes), name).toContain(source);
      }
      expect(Object.keys(compose.secrets), name).toEqual(expect.arrayContaining(secrets));
      expect(Object.keys(compose.services), name).toEqual(expect.arrayContaining(Object.keys(depends_on)));
    }
  });

  test('bounds every service, and checks the health of each', () => {
    for (const [name, { deploy, healthcheck }] of services) {
      expect(deploy?.resources.limits, name).toMatchObject({
        cpus: expect.any(String),
        memory: expect.any(String),
      });
      // Gateways have the image's.
      expect(healthcheck !== undefined || name.startsWith('gateway'), name).toBe(true);
    }
  });

  test('holds no secret, and none is committed', () => {
    for (const { file } of Object.values(compose.secrets)) expect(file).toMatch(/^\.\/secrets\//);
    expect(read('ops/compose/.gitignore').split('\n')).toContain('secrets');
    for (const [, { entrypoint }] of gateways)
      expect(entrypoint!.join(' ')).toContain('$$(cat /run/secrets/');
  });

  test('gives gateways longer to end than they take, and serves the standby read-only', () => {
    for (const [name, { stop_grace_period }] of gateways)
      expect(Number.parseInt(stop_grace_period!), name).toBeGreaterThan(10);
    const { environment } = compose.services['gateway-standby']!;
    expect(environment).toMatchObject({ MIGRATE: 'off', WORKER: 'off', SAMPLE: 'off' });
  });

  test('has gateways believe the proxy alone', () => {
    const { front } = compose.services['proxy']!.networks as Record<string, { ipv4_address: string }>;
    for (const [, { environment }] of gateways)
      expect(environment!['TRUSTED_PROXIES']).toBe(front!.ipv4_address);
    expect(proxy).toContain('http-request del-header x-forwarded-for');
  });

  test('is bash that can be read', () => {
    for (const name of ['primary.sh', 'standby.sh']) {
      const { pathname } = new URL(`ops/compose/${name}`, root);
      expect(spawnSync('bash', ['-n', pathname], { encoding: 'utf8' }).stderr).toBe('');
      // The image of PostgreSQL would read a file into its own shell that cannot be run.
      expect(statSync(pathname).mode & 0o111, name).toBe(0o111);
    }
  });
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
    const [, , path] = /^(\S+) \/opt\/moraine\/(\S+) serve$/.exec(ofUnit('ExecStart').join())!;
    expect(existsSync(new URL(path!, root)), path).toBe(true);
    expect(Number(ofUnit('TimeoutStopSec'))).toBeGreaterThan(10);
    // The server that it started would be told at the same time otherwise, and end before the last reply.
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
    expect(`${verified.stdout}${verified.stderr}`).toBe('');
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
