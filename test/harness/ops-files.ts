import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** The root of the checkout. */
export const root = new URL('../../', import.meta.url);
/** The text of a file of the checkout. */
export const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

/** The script of a named step of the workflow that publishes. */
export function stepOfRelease(name: string): string {
  const { jobs } = parse(read('.github/workflows/release.yml')) as {
    jobs: { publish: { steps: { name?: string; run?: string }[] } };
  };
  return jobs.publish.steps.find((step) => step.name === name)?.run ?? '';
}

export const containerfile = read('ops/container/Containerfile');
/** Its instructions, each in one line. */
export const instructions = containerfile.replaceAll('\\\n', ' ').split('\n');
/** The words after each instruction of that name. */
export const argumentsOf = (instruction: string) =>
  instructions.filter((line) => line.startsWith(`${instruction} `)).map((line) => line.split(/ +/).slice(1));
/**
 * Removes Prisma's compilers for other databases, and other builds of the one for PostgreSQL, from
 * node_modules.
 */
export const withoutOtherCompilers =
  instructions.map((line) => /find node_modules.*-delete$/.exec(line)?.[0]).find(Boolean) ?? '';
export const containerEnv = Object.fromEntries(argumentsOf('ENV').flatMap(assignments));

/** A service of compose.yaml, as far as tests read it. */
export interface Service {
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
export const compose = parse(read('ops/compose/compose.yaml'), { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
  secrets: Record<string, { file: string }>;
};
export const services = Object.entries(compose.services);
export const gateways = services.filter(([name]) => name.startsWith('gateway'));

export const proxy = read('ops/compose/haproxy.cfg');
/** A time of the proxy's configuration, milliseconds; NaN if absent. */
export const timeOf = (name: string) => {
  const [, count, unit] = new RegExp(`^ +(?:default-server .*)?${name} (\\d+)(m?s)`, 'm').exec(proxy) ?? [];
  return Number(count) * (unit === 's' ? 1000 : 1);
};
export const servers = [...proxy.matchAll(/^ +server \S+ ([\w-]+):(\d+)/gm)].map(([, host, port]) => [
  host,
  port,
]);

export const unit = read('ops/systemd/moraine.service');
/** The values of a key of the unit. */
export const ofUnit = (key: string) =>
  [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) => value!);

function assignments(words: string[]): [string, string][] {
  return words.map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]);
}

const composeEnv = ({ environment = {} }: Service) =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, value.replace(/\$\{\w+:-([^}]*)\}/, '$1')]),
  );
/** What each file sets in the environment of a gateway. */
export const environments: [string, Record<string, string>][] = [
  ['Containerfile', containerEnv],
  [
    'moraine.service',
    Object.fromEntries(assignments(ofUnit('Environment').flatMap((line) => line.split(' ')))),
  ],
  ...gateways.map(([name, service]): [string, Record<string, string>] => [name, composeEnv(service)]),
];
