import type { Logger } from 'pino';
import type { AvaxApi, AvmApi, EvmApi, IndexApi, InfoApi, PlatformApi } from './apis.js';
import type { EndpointStatus, NodeFigures } from './status.js';

/** The endpoints of one network, and every call that a follower makes to them. */
export interface Nodes {
  readonly info: InfoApi;
  readonly platform: PlatformApi;
  readonly avm: AvmApi;
  /** The C-chain's EVM. */
  readonly evm: EvmApi;
  /** The C-chain's atomic transactions. */
  readonly avax: AvaxApi;
  readonly index: IndexApi;
  /** Each endpoint's state, in the operator's order; reads memory alone. */
  endpoints(): EndpointStatus[];
  /** What was asked and how long it took, since the start; reads memory alone. */
  figures(): NodeFigures;
  /**
   * Asks this endpoint nothing for a while, which grows each time, because an answer of it proved to be wrong.
   *
   * @param endpoint its printable name, as answers and NodeError have it
   * @param reason for people, for example "its block 7 names another parent than ours"
   */
  setAside(endpoint: string, reason: string): void;
  /** Closes all connections; calls that run fail. */
  close(): Promise<void>;
}

export interface NodeOptions {
  readonly log: Logger;
  /** Most calls at a time for one endpoint; 32 when absent. */
  readonly concurrency?: number;
  /** Milliseconds of silence after which a call failed; 10,000 when absent. The whole call may take six times as long. */
  readonly timeoutMs?: number;
  /** Milliseconds for which a call is tried again before its NodeError is thrown; 30,000 when absent, 0 tries once. */
  readonly patienceMs?: number;
  /** Bounds of the pauses before something is tried again, in milliseconds; 250 and 30,000 when absent. */
  readonly pauses?: { readonly least: number; readonly most: number };
}

/**
 * Opens the client. Nothing is asked before the first call.
 *
 * @param urls addresses of nodes, as the operator wrote them: http or https, perhaps with user and password, a path
 *   before `/ext`, and a query, all of which are secrets
 * @throws AppError BAD_USER_INPUT for an address that is none, without repeating its secrets
 */
export function openNode(urls: readonly string[], options: NodeOptions): Nodes {
  throw new Error(`not written yet: ${urls.length} ${String(options.concurrency)}`);
}
