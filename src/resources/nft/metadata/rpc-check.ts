import type { Logger } from 'pino';
import { hexToBigInt, isHex, RpcRequestError } from 'viem';
import { AppError } from '../../../errors.js';
import { OutboundError, type OutboundReason } from '../../../outbound/error.js';
import type { EvmChain } from '../chain-loader.js';
import type { MetadataSources } from './read.js';
import { type Rpc, rpcClient, rpcFailure } from './rpc.js';

/**
 * Checks that the RPC of a chain can be asked, before a job is promised to a caller.
 *
 * @throws AppError SERVICE_UNAVAILABLE when there is none or it does not answer, BAD_GATEWAY when it answers invalidly
 */
export type RpcCheck = (chain: EvmChain) => Promise<void>;

const patienceMs = 3_000;
/** How long an answer is believed: a good one, and a bad one, which the operator may be mending. */
const goodMs = 60_000;
const badMs = 5_000;
/** Nothing but a restart with another setting brings an RPC. */
const noRpcRetrySeconds = 60;

/** Reasons for which there was an answer, though none that can be used. */
const answered = new Set<OutboundReason>([
  'too-large',
  'encoding-refused',
  'redirect-refused',
  'too-many-redirects',
]);

interface Answer {
  /** What is wrong; null when nothing is. */
  problem: Promise<AppError | null>;
  /** Milliseconds since 1970. */
  until: number;
}

/** @param now present time, milliseconds */
export function createRpcCheck(
  { rpcOf, outbound }: Pick<MetadataSources, 'rpcOf' | 'outbound'>,
  log: Logger,
  now: () => number,
): RpcCheck {
  const answers = new Map<bigint, Answer>();

  function ask(chain: EvmChain): Answer {
    // Until it is there, everybody waits for the same answer.
    const answer: Answer = { until: Infinity, problem: problemOf(chain) };
    answer.problem.then(
      (problem) => (answer.until = now() + (problem ? badMs : goodMs)),
      () => answers.delete(chain.evmChainId),
    );
    answers.set(chain.evmChainId, answer);
    return answer;
  }

  async function problemOf(chain: EvmChain): Promise<AppError | null> {
    const { evmChainId } = chain;
    const rpc = await rpcOf(evmChainId, chain);
    if (!rpc) {
      const message = `There is no RPC for the chain ${evmChainId}: the operator has to name one in the setting RPC_URLS`;
      return new AppError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds: noRpcRetrySeconds });
    }
    const problem = await probe(evmChainId, rpc, outbound);
    if (problem) log.warn({ err: problem.cause, evmChainId: String(evmChainId) }, problem.message);
    return problem;
  }

  return async (chain) => {
    const known = answers.get(chain.evmChainId);
    const { problem } = known && now() < known.until ? known : ask(chain);
    const found = await problem;
    if (found) throw found;
  };
}

async function probe(
  evmChainId: bigint,
  rpc: Rpc,
  outbound: MetadataSources['outbound'],
): Promise<AppError | null> {
  const name = `The RPC of the chain ${evmChainId}`;
  const signal = AbortSignal.timeout(patienceMs);
  const unavailable = (what: string, cause?: unknown) =>
    new AppError('SERVICE_UNAVAILABLE', `${name} ${what}; the setting RPC_URLS names another`, {
      retryAfterSeconds: badMs / 1000,
      cause,
    });
  try {
    const id: unknown = await rpcClient(rpc, outbound, signal).request({ method: 'eth_chainId' });
    if (!isHex(id, { strict: true }) || id === '0x') {
      return new AppError('BAD_GATEWAY', `${name} answered invalidly`);
    }
    if (hexToBigInt(id) === evmChainId) return null;
    return new AppError('BAD_GATEWAY', `${name} says that it is the chain ${hexToBigInt(id)}`);
  } catch (error) {
    if (signal.aborted) return unavailable(`did not answer within ${patienceMs / 1000} seconds`, error);
    const failure = rpcFailure(error);
    // It speaks JSON-RPC; not every one has this method.
    if (failure instanceof RpcRequestError) return null;
    if (failure instanceof OutboundError && !answered.has(failure.reason)) {
      const refused = /refused$/.test(failure.reason) || failure.reason === 'address-malformed';
      return unavailable(
        refused ? 'has an address that is not asked' : 'cannot be reached at the moment',
        failure,
      );
    }
    return new AppError('BAD_GATEWAY', `${name} answered invalidly`, { cause: failure });
  }
}
