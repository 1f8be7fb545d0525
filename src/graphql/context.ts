import type { Logger } from 'pino';
import type { Access, AccessControl } from '../access/access-control.js';
import type { Siblings } from '../cluster/siblings.js';
import type { Config } from '../config.js';
import type { Live } from '../live/streams.js';
import type { TokenCodec } from '../paging/token.js';
import type { Storage } from '../storage/open.js';
import type { Reader } from '../storage/reader.js';
import type { Tracing } from '../telemetry/tracing.js';

/** What lives as long as the process. Resources add their own services (interface augmentation). */
export interface Services {
  config: Config;
  log: Logger;
  storage: Storage;
  accessControl: AccessControl;
  tokens: TokenCodec;
  /** Present time, milliseconds since 1970. */
  now: () => number;
  /** The other processes of this gateway; absent if there are none. */
  siblings?: Siblings | undefined;
  /**
   * Traces of everything that the process does; absent if no endpoint is configured. Closed by whoever opened
   * the services.
   */
  tracing?: Tracing | undefined;
}

/** What resolvers see. One object for each request; its loaders live as long as it does. */
export interface Context extends Omit<Services, 'storage' | 'config'>, Access {
  /** Reads for this request only. */
  storage: Reader;
  /** Without the addresses of databases, which may contain passwords. */
  config: Omit<
    Config,
    | 'DATABASE_URL'
    | 'DIRECT_DATABASE_URL'
    | 'READ_DATABASE_URLS'
    | 'REDIS_URL'
    | 'FOLLOW'
    | 'FOLLOW_L1'
    | 'FOLLOW_GENESIS'
  >;
  /**
   * Of a document that we wrote, the values of its arguments by name, as its route has read them: they are
   * not read again, and it may read complete lists. Null for a client's document.
   */
  trusted: { values: Readonly<Record<string, unknown>> } | null;
  /** What streams come from; only where clients' documents run. */
  live?: Live | undefined;
  /** Why the operation's root fields are refused, except the free ones: see limits/admission.ts. */
  refusal?: Error | undefined;
}

/** What one request reads through. */
export function storageFor({ storage }: Services, { charge, abandon, record }: Access): Reader {
  return storage.of(charge.identity, abandon, record);
}
