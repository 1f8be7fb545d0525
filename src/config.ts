import type { z } from 'zod';
import { meantBy } from './config/near-names.js';
import { allowedBy, MASK, masked, type Setting } from './config/setting.js';
import { settings } from './config/settings.js';

type SettingName = keyof typeof settings;
type Value<S> = S extends Setting<infer T> ? T : never;

/** What the environment says, checked. Keys are the names of the variables. */
export type Config = { readonly [K in SettingName]: Value<(typeof settings)[K]> };

/** The environment holds values that cannot be used; the message names every one of them. */
export class ConfigError extends Error {}

type Environment = Readonly<Record<string, string | undefined>>;

/** Looks at settings that mean something together, or to another part; undefined are those that are wrong by themselves. */
export type SettingsCheck = (config: Partial<Config>) => void;

/**
 * Reads and checks the environment.
 *
 * @param env names and values, as in `process.env`; an empty value means "not set"
 * @param checks of what the values are for, which throw ConfigError
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
  // An address may hold a password, wherever it was written.
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
 * The variables of the environment that are no settings and look like one that was meant. OpenTelemetry has many of its own, and
 * services of Kubernetes leave addresses there.
 */
export function misspeltSettings(env: Environment = process.env): { name: string; meant: string }[] {
  const known = Object.keys(settings);
  return Object.entries(env).flatMap(([name, value = '']) => {
    const isOthers = name.startsWith('OTEL_') || /^(tcp|udp|sctp):\/\//.test(value);
    if (known.includes(name) || value === '' || isOthers) return [];
    const meant = meantBy(name, known);
    return meant ? [{ name, meant }] : [];
  });
}

/** What people are told of one. */
export function toldOfMisspelt({ name, meant }: { name: string; meant: string }): string {
  return `${name} is not a setting and does nothing; did you mean ${meant}?`;
}

/** The settings for work that goes past the pooler, where there is one: whatever keeps a session, and takes long. */
export function pastPooler(config: Config): Config {
  return { ...config, DATABASE_URL: config.DIRECT_DATABASE_URL ?? config.DATABASE_URL };
}

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
