import type { Queue } from '../queue.js';
import type { RpcCheck } from './rpc-check.js';

/** How a process asks for metadata jobs. */
export interface MetadataJobs {
  checkRpc: RpcCheck;
  enqueue: Queue['enqueue'];
  /** Has the worker of this process, if it has one, look for work now. */
  wake: () => void;
}
