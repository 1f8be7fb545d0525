import type { Logger } from 'pino';
import { usualPauses, type Pauses } from '../pauses.js';
import { type NodeAddress, parseNodeAddress, parseRpcAddress } from './address.js';
import type { AvaxApi, BlockApi, IndexApi, InfoApi, PlatformApi } from './apis.js';
import type { EvmApi } from './evm-apis.js';
import { avaxApi } from './avax.js';
import { BelievedHeads, HEAD_SLACK } from './believed-heads.js';
import { blockApi } from './block-api.js';
import { BodyBudget } from './body-budget.js';
import { Caller } from './caller.js';
import { ChainMembership } from './chain-membership.js';
import { Endpoint } from './endpoint.js';
import type { EndpointCheck } from './endpoint-check.js';
import { evmApi } from './evm.js';
import { wrongAnswer } from './failed.js';
import { Figures } from './figures.js';
import { Heads } from './heads.js';
import { indexApi } from './index-api.js';
import { infoApi } from './info.js';
import { Membership } from './membership.js';
import { platformApi } from './platform.js';
import type { EndpointStatus, HeadChain, NodeFigures } from './status.js';

/** The endpoints of one network, and every call that a follower makes to them. */
export interface Nodes extends EvmNodes {
  readonly info: InfoApi;
  readonly platform: PlatformApi;
  readonly avm: BlockApi;
  /** The C-chain's atomic transactions. */
  readonly avax: AvaxApi;
  readonly index: IndexApi;
}

/** The endpoints of one EVM chain: the C-chain's are those of its network. */
export interface EvmNodes {
  readonly evm: EvmApi;
  /** The printable name of the archive that is asked before them; null for none. */
  readonly archive: string | null;
  /** Each endpoint's state, in the operator's order; reads memory alone. */
  readonly endpoints: () => EndpointStatus[];
  /** What was asked and how long it took, since the start; reads memory alone. */
  readonly figures: () => NodeFigures;
  /**
   * Pauses this endpoint because one of its answers was wrong; each pause is longer.
   *
   * @param endpoint its printable name, as answers and NodeError have it
   * @param reason for people, for example "its block 7 names another parent than ours"
   * @returns whether another endpoint without wrong answers is left
   */
  readonly setAside: (endpoint: string, reason: string) => boolean;
  /** Closes all connections; calls that run fail. */
  readonly close: () => Promise<void>;
}

export interface NodeOptions {
  readonly log: Logger;
  /** Most calls at a time for one endpoint; 32 when absent. */
  readonly concurrency?: number;
  /**
   * Milliseconds of silence after which a call failed; 10,000 when absent. The whole call may take six times
   * as long.
   */
  readonly timeoutMs?: number;
  /** Milliseconds for which a call is tried again before NodeError; 30,000 when absent, 0 tries once. */
  readonly patienceMs?: number;
  /** Milliseconds after which a head is believed that half of the endpoints have; 60,000 when absent. */
  readonly loneHeadMs?: number;
  /** Bounds of the pauses before something is tried again; 250 and 30,000 when absent. */
  readonly pauses?: Pauses;
  /** Counts the requests; its own when absent. */
  readonly counts?: Figures;
  /** What the connections hold together; its own when absent. */
  readonly bodies?: BodyBudget;
}

/**
 * Opens the client. Nothing is asked before the first call.
 *
 * @param urls addresses of nodes, as the operator wrote them: http or https, perhaps with user and password,
 *   a path before `/ext`, and a query; all of these are secrets
 * @throws AppError BAD_USER_INPUT for an address that is none, without repeating its secrets
 */
export function openNode(urls: readonly string[], options: NodeOptions): Nodes {
  const addresses = urls.map(parseNodeAddress);
  const { caller, heads, rest } = openPool(addresses, options, (endpoints) => new Membership(endpoints));
  return {
    info: infoApi(caller),
    platform: platformApi(caller, heads),
    avm: blockApi(caller, heads, { chain: 'X', path: '/ext/bc/X', service: 'avm' }),
    avax: avaxApi(caller),
    index: indexApi(caller),
    ...rest,
  };
}

/**
 * Opens a client of the RPC of one EVM chain. Nothing is asked before the first call.
 *
 * @param urls as the operator wrote them: their paths and queries are secrets too
 * @param evmChainId endpoints of another one are set aside; null: whichever they have
 * @throws AppError BAD_USER_INPUT for an address that is none, without repeating its secrets
 */
export function openEvm(urls: readonly string[], evmChainId: bigint | null, options: NodeOptions): EvmNodes {
  const chain = evmChainId === null ? '' : ` (chain ${evmChainId})`;
  const addresses = urls.map((url) => parseRpcAddress(url));
  const named = addresses.map((address) => ({ ...address, name: `${address.name}${chain}` }));
  return openPool(named, options, () => new ChainMembership(evmChainId)).rest;
}

function openPool(
  addresses: readonly NodeAddress[],
  options: NodeOptions,
  membershipOf: (endpoints: readonly Endpoint[]) => EndpointCheck,
) {
  const { log, concurrency = 32, timeoutMs = 10_000, patienceMs = 30_000 } = options;
  const { pauses = usualPauses, counts: figures = new Figures(), bodies = new BodyBudget() } = options;
  const shared = { log, figures, concurrency, silenceMs: timeoutMs, pauses, bodies };
  const names = printableNames(addresses);
  const endpoints = addresses.map((address, index) => new Endpoint(names[index]!, address, shared));
  const caller = new Caller(endpoints, { patienceMs, pauses, membership: membershipOf(endpoints) });
  const heads = new Heads(caller, new BelievedHeads(options.loneHeadMs));
  const rest: EvmNodes = {
    evm: evmApi(caller, heads),
    archive: null,
    endpoints: () => statusOf(endpoints),
    figures: () => figures.read(),
    setAside(name, reason) {
      const endpoint = endpoints.find((each) => each.name === name);
      // The only one goes on giving other streams what they need.
      if (endpoints.length > 1)
        endpoint?.failed({ path: '', method: 'blocks' }, wrongAnswer('', 'wrong', reason));
      return endpoints.some((each) => each !== endpoint && !each.isDistrusted);
    },
    close: () => caller.close(),
  };
  return { caller, heads, rest };
}

/** Scheme, host and port; a number where several addresses share them. */
function printableNames(addresses: readonly NodeAddress[]): string[] {
  return addresses.map(({ name }, index) => {
    const before = addresses.slice(0, index).filter((other) => other.name === name).length;
    return before === 0 ? name : `${name}#${before + 1}`;
  });
}

function statusOf(endpoints: readonly Endpoint[]): EndpointStatus[] {
  const best: Partial<Record<HeadChain, bigint>> = {};
  for (const { heads } of endpoints) {
    for (const [chain, head] of Object.entries(heads) as [HeadChain, bigint][]) {
      if (head > (best[chain] ?? -1n)) best[chain] = head;
    }
  }
  return endpoints.map((endpoint) => endpoint.status(best, HEAD_SLACK));
}
