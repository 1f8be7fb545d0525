import type { Config } from '../config.js';

/** Settings that bound the gateway as a whole: each process has an equal part. */
const divided = [
  'DATABASE_POOL',
  'COMPOSITE_CACHE_MB',
  'MAX_REQUESTS_IN_FLIGHT',
  'MAX_CONNECTIONS',
  'MAX_UNSENT_MB',
] as const;

/**
 * What the environment of a process says otherwise than that of the gateway: its part of what is divided, and that the
 * primary process has made the database ready.
 *
 * @param place of the process, 1 to PROCESSES; the first one does NFT metadata jobs
 * @param databaseUrl of the database that is open, the embedded one too
 */
export function settingsOf(place: number, config: Config, databaseUrl: string): Record<string, string> {
  const part = (whole: number) => String(Math.max(1, Math.floor(whole / config.PROCESSES)));
  return {
    ...Object.fromEntries(divided.map((name) => [name, part(config[name])])),
    DATABASE_URL: databaseUrl,
    MIGRATE: 'off',
    SAMPLE: 'off',
    WORKER: config.WORKER && place === 1 ? 'on' : 'off',
  };
}
