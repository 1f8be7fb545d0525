import type { z } from 'zod';
import { nearestName } from './config/near-names.js';
import { allowedBy, MASK, masked, type Setting } from './config/setting.js';
import { evmStreams, streamNames } from './config/follow-settings.js';
import { settings } from './config/settings.js';

type SettingName = keyof typeof settings;
type Value<S> = S extends Setting<infer T> ? T : never;

/** What the environment says, checked. Keys are the names of the variables. */
export type Config = { readonly [K in SettingName]: Value<(typeof settings)[K]> };

/** The environment has values that cannot be used; the message names every one of them. */
export class ConfigError extends Error {}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Checks settings that depend on each other, or on another folder; a setting that is wrong by itself is
 * undefined here.
 */
export type SettingsCheck = (config: Partial<Config>) => void;

/**
 * Reads and checks the environment.
 *
 * @param env names and values, as in `process.env`; an empty value means "not set"
 * @param checks of folders that use the values, which throw ConfigError
 * @throws ConfigError that names each wrong variable, its value and what is allowed
 */
export function loadConfig(env: Environment = process.env, checks: readonly SettingsCheck[] = []): Config {
  const problems: string[] = [];
  const values = Object.entries(settings as Record<string, Setting<unknown>>).map(([name, each]) => {
    const given = env[name]?.trim();
    const parsed = each.schema.safeParse(given ? given : each.default);
    if (!parsed.success) problems.push(problemOf(name, given ?? '', each, parsed.error));
    return [name, parsed.data];
  });
  const config = Object.fromEntries(values) as Config;
  for (const check of checks) problems.push(...problemsOf(() => check(config)));
  if (problems.length > 0)
    throw new ConfigError(`wrong settings in the environment:\n  ${problems.join('\n  ')}`);
  return config;
}

function problemOf(name: string, value: string, setting: Setting<unknown>, error: z.ZodError): string {
  // An address may contain a password, in any setting.
  const hidden = setting.secret || /:\/\/|@/.test(value);
  const shown = hidden ? 'its value' : JSON.stringify(value.length > 80 ? `${value.slice(0, 77)}…` : value);
  const allowed = allowedBy(setting.schema);
  const wrong = allowed ? `is not ${allowed}` : error.issues.map(({ message }) => message).join(', ');
  return `${name}: ${shown} ${wrong}. ${setting.description}`;
}

function problemsOf(check: () => void): string[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return [error.message];
    throw error;
  }
}

/**
 * Variables of the environment that are no settings but look like a misspelt one. OpenTelemetry has many of
 * its own, and services of Kubernetes set addresses there.
 */
export function misspeltSettings(env: Environment = process.env): { name: string; meant: string }[] {
  const known = Object.keys(settings);
  return Object.entries(env).flatMap(([name, value = '']) => {
    const isOthers = name.startsWith('OTEL_') || /^(tcp|udp|sctp):\/\//.test(value);
    if (known.includes(name) || value === '' || isOthers) return [];
    const meant = nearestName(name, known);
    return meant ? [{ name, meant }] : [];
  });
}

/** The warning for one. */
export function misspeltWarning({ name, meant }: { name: string; meant: string }): string {
  return `${name} is not a setting and does nothing; did you mean ${meant}?`;
}

/** The environment with other values in it: for a process to start, or options that stand for settings. */
export function environmentWith(more: Environment): Environment {
  return { ...process.env, ...more };
}

/**
 * The settings of the environment, with the options of a command instead of those that they replace.
 *
 * @param options by setting; undefined: not given
 * @throws ConfigError
 */
export function settingsWith(options: Environment): Config {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return loadConfig(environmentWith(Object.fromEntries(given)));
}

/** The settings for work that must not go through the pooler: what needs a session, or takes long. */
export function pastPooler(config: Config): Config {
  return { ...config, DATABASE_URL: config.DIRECT_DATABASE_URL ?? config.DATABASE_URL };
}

/** Connections of a follower in addition to the one that each of its streams keeps. */
const READING = 4;

/**
 * The settings for a follower: each followed stream keeps a connection, and so does each range of the past;
 * others wait for one to read.
 */
export function forFollower(config: Config): Config {
  const { FOLLOW_L1, FOLLOW_RANGES } = config;
  const streams = streamNames.length + evmStreams.length * FOLLOW_L1.length;
  const ofProcess = Math.ceil(FOLLOW_RANGES / pastProcesses(config));
  const ranges = evmStreams.length * (1 + FOLLOW_L1.length) * ofProcess;
  return { ...config, DATABASE_POOL: Math.max(config.DATABASE_POOL, streams + ranges + READING) };
}

/** How many processes read the past: each has a range and a request at least. */
export const pastProcesses = ({
  FOLLOW_PROCESSES,
  FOLLOW_RANGES,
  FOLLOW_CONCURRENCY,
}: Pick<Config, 'FOLLOW_PROCESSES' | 'FOLLOW_RANGES' | 'FOLLOW_CONCURRENCY'>): number =>
  Math.min(FOLLOW_PROCESSES, FOLLOW_RANGES, FOLLOW_CONCURRENCY);

/** One row of `moraine config`. */
export interface DescribedSetting {
  name: string;
  description: string;
  default: string;
  /** The present value; secrets are masked. */
  value: string;
}

/** Every setting with its meaning, default and present value; secrets are masked. */
export function describeConfig(env: Record<string, string | undefined> = process.env): DescribedSetting[] {
  return Object.entries(settings as Record<string, Setting<unknown>>).map(([name, each]) => {
    const text = env[name];
    const value = text ? (each.secret ? MASK : masked(text)) : (each.default ?? '(not set)');
    return { name, description: each.description, default: each.default ?? '(not set)', value };
  });
}
