export { EmbeddedError, type Reason } from './errors.js';
export { joinServer, type JoinedServer } from './join.js';
export type { Log, ServerOptions, Stop } from './options.js';
