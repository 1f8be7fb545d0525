import { MASK, masked, type Setting } from './config/setting.js';
import { settings } from './config/settings.js';

type SettingName = keyof typeof settings;
type Value<S> = S extends Setting<infer T> ? T : never;

/** What the environment says, checked. Keys are the names of the variables. */
export type Config = { readonly [K in SettingName]: Value<(typeof settings)[K]> };

/** The environment holds values that cannot be used; the message names every one of them. */
export class ConfigError extends Error {}

/**
 * Reads and checks the environment.
 *
 * @param env names and values, as in `process.env`; an empty value means "not set"
 * @throws ConfigError that names each wrong variable, its value and what is allowed
 */
export function loadConfig(env: Record<string, string | undefined> = process.env): Config {
  const problems: string[] = [];
  const values = Object.entries(settings).map(([name, each]) => {
    const text = env[name] === '' ? undefined : env[name];
    const parsed = (each as Setting<unknown>).schema.safeParse(text ?? each.default);
    if (!parsed.success) {
      const shown = (each as Setting<unknown>).secret ? 'its value' : JSON.stringify(text && masked(text));
      problems.push(
        `${name}: ${shown} ${parsed.error.issues.map((issue) => issue.message).join(', ')}. ${each.description}`,
      );
    }
    return [name, parsed.data];
  });
  if (problems.length > 0)
    throw new ConfigError(`wrong settings in the environment:\n  ${problems.join('\n  ')}`);
  return Object.fromEntries(values) as Config;
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
