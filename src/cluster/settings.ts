import { ConfigError, type Config } from '../config.js';

/** Settings that bound the gateway as a whole: each process has an equal part. */
const divided = [
  'DATABASE_POOL',
  'DOCUMENT_CACHE_MB',
  'COMPOSITE_CACHE_MB',
  'MAX_REQUESTS_IN_FLIGHT',
  'MAX_CONNECTIONS',
  'MAX_STREAMS',
  'MAX_UNSENT_MB',
] as const;

/**
 * How the environment of a process differs from that of the gateway: its part of what is divided, and that
 * the primary process has prepared the database.
 *
 * @param slot of the process, 1 to PROCESSES; the first one does NFT metadata jobs
 * @param databaseUrl of the database that is open, the embedded one too
 * @throws ConfigError where there are more processes than parts of what is divided: see checkDivided
 */
export function settingsOf(slot: number, config: Config, databaseUrl: string): Record<string, string> {
  checkDivided(config);
  const part = (whole: number) => String(Math.floor(whole / config.PROCESSES));
  return {
    ...Object.fromEntries(divided.map((name) => [name, part(config[name])])),
    DATABASE_URL: databaseUrl,
    MIGRATE: 'off',
    SAMPLE: 'off',
    WORKER: config.WORKER && slot === 1 ? 'on' : 'off',
  };
}

/**
 * Refuses more processes than a setting has units: with one unit each, they would exceed what the gateway may
 * have.
 *
 * @throws ConfigError that names PROCESSES, and each setting that is too small for it
 */
export function checkDivided(config: Partial<Config>): void {
  const { PROCESSES = 1 } = config;
  const small = divided.filter((name) => (config[name] ?? PROCESSES) < PROCESSES);
  if (small.length === 0) return;
  const shown = small.map((name) => `${name}, ${config[name] ?? ''}`).join(', and than ');
  throw new ConfigError(
    `PROCESSES: ${PROCESSES} are more than ${shown}, which is divided among them: each process needs at least 1 of it (of DATABASE_POOL, 4 is better)`,
  );
}
