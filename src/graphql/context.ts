import type { Logger } from 'pino';
import type { Access, AccessControl } from '../access/access-control.js';
import type { Config } from '../config.js';
import type { MetadataJobs } from '../jobs/metadata/jobs.js';
import type { TokenCodec } from '../paging/token.js';
import type { Storage } from '../storage/open.js';

/** What lives as long as the process. */
export interface Services {
  config: Config;
  log: Logger;
  storage: Storage;
  accessControl: AccessControl;
  tokens: TokenCodec;
  metadataJobs: MetadataJobs;
  /** Present time, milliseconds since 1970. */
  now: () => number;
}

/** What resolvers see. One object per request; loaders are remembered by it and forgotten with it. */
export interface Context extends Services, Access {
  /** Whether the document was written by us: it may read lists complete. */
  trusted: boolean;
}
