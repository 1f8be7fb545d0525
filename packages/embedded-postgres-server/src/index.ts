export { EmbeddedError, type Reason } from './errors.js';
export { joinServer, type RunningServer } from './join.js';
export type { Log, ServerOptions, Stop } from './options.js';
