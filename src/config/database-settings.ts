import { z } from 'zod';
import { count, list, oneOf, optional, postgres, setting, wholeNumber } from './setting.js';

export const databaseSettings = {
  DATABASE_URL: optional(
    postgres,
    'A PostgreSQL 15 or newer to use instead of the embedded one, postgresql://user:password@host:port/name.',
    true,
  ),
  DIRECT_DATABASE_URL: optional(
    postgres,
    'The same database, reached directly, if DATABASE_URL names a PgBouncer (1.21 or newer, in transaction mode). Not set: DATABASE_URL is not a pooler.',
    true,
  ),
  DATABASE_POOL: setting(
    count,
    '16',
    'Database connections of a gateway. One caller (an API key, otherwise an address) uses at most a quarter of them at a time; that quarter should be about twice the number of cores of the database server.',
  ),
  READ_DATABASE_URLS: setting(
    list
      .pipe(z.array(postgres))
      .describe(
        'addresses such as postgresql://user:password@host:5432/name, separated by commas. In a password @ is written %40, / %2F, ? %3F, # %23, % %25 and a comma %2C',
      ),
    '',
    'Hot standbys of DATABASE_URL that requests read from in turn, separated by commas. Empty: none.',
    true,
  ),
  READ_MAX_LAG_MS: setting(
    wholeNumber(1000),
    '5000',
    'Longest delay of a hot standby that is still read from, milliseconds.',
  ),
  STATEMENT_TIMEOUT_MS: setting(
    count,
    '10000',
    'Time after which one database statement is cancelled, milliseconds.',
  ),
  MIGRATE: setting(
    oneOf(['auto', 'off']),
    'auto',
    'auto: bring the database schema up to date at start. off: only check it.',
  ),
} as const;
