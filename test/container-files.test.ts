import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createApp } from './harness/app.js';
import { freePort } from './harness/free-port.js';
import { argumentsOf, compose, containerEnv, containerfile, gateways } from './harness/ops-files.js';
import { instructions, proxy, read, root, services } from './harness/ops-files.js';

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
