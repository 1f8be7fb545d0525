import type { Logger } from 'pino';
import { AppError } from '../../../errors.js';
import type { EvmChain } from '../key.js';
import type { MetadataSources } from './read.js';

/**
 * Checks that the RPC of a chain answers, before a caller is promised a job.
 *
 * @throws AppError SERVICE_UNAVAILABLE when there is none or it does not answer, BAD_GATEWAY when it answers
 *   invalidly
 */
export type RpcCheck = (chain: EvmChain) => Promise<void>;

/** How long an answer counts: a good one, and a bad one, which the operator may be fixing. */
const goodMs = 60_000;
const badMs = 5_000;
/** Only a restart with another setting adds an RPC. */
const noRpcRetrySeconds = 60;

interface Answer {
  /** What is wrong; null when nothing is. */
  problem: Promise<AppError | null>;
  /** When it came, milliseconds since 1970; until then all callers wait for the same answer. */
  at: number;
  freshMs: number;
}

/** @param now present time, milliseconds */
export function createRpcCheck(
  { rpcOf, outbound }: Pick<MetadataSources, 'rpcOf' | 'outbound'>,
  log: Logger,
  now: () => number,
): RpcCheck {
  const answers = new Map<bigint, Answer>();

  function ask(chain: EvmChain): Answer {
    const answer: Answer = { at: now(), freshMs: Infinity, problem: problemOf(chain) };
    answer.problem.then(
      (problem) => Object.assign(answer, { at: now(), freshMs: problem ? badMs : goodMs }),
      () => answers.delete(chain.evmChainId),
    );
    answers.set(chain.evmChainId, answer);
    return answer;
  }

  async function problemOf(chain: EvmChain): Promise<AppError | null> {
    const { evmChainId } = chain;
    const rpc = await rpcOf(evmChainId, chain);
    if (!rpc) {
      const message = `There is no RPC for the chain ${evmChainId}: the operator has to set one in RPC_URLS`;
      return new AppError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds: noRpcRetrySeconds });
    }
    // Imported on demand, with viem, because not every gateway uses an RPC.
    const { probeRpc } = await import('./rpc-probe.js');
    const problem = await probeRpc(evmChainId, rpc, outbound, badMs / 1000);
    if (problem) log.warn({ err: problem.cause, evmChainId: String(evmChainId) }, problem.message);
    return problem;
  }

  return async (chain) => {
    const known = answers.get(chain.evmChainId);
    // A clock that was set back does not make an answer last longer.
    const isFresh = known && Math.abs(now() - known.at) < known.freshMs;
    const { problem } = isFresh ? known : ask(chain);
    const found = await problem;
    if (found) throw found;
  };
}
