import { hexToBigInt, isHex, RpcRequestError } from 'viem';
import { AppError } from '../../../errors.js';
import { OutboundError, type OutboundReason } from '../../../outbound/error.js';
import type { Outbound } from '../../../outbound/request.js';
import { type Rpc, rpcClient, rpcFailure } from './rpc.js';

const patienceMs = 3_000;

/** Reasons that mean that there was an answer, but no usable one. */
const answered = new Set<OutboundReason>([
  'too-large',
  'encoding-refused',
  'redirect-refused',
  'too-many-redirects',
]);

/**
 * What is wrong with the RPC of a chain; null when nothing is.
 *
 * @param retrySeconds after which another try may succeed
 */
export async function probeRpc(
  evmChainId: bigint,
  rpc: Rpc,
  outbound: Outbound,
  retrySeconds: number,
): Promise<AppError | null> {
  const name = `The RPC of the chain ${evmChainId}`;
  const signal = AbortSignal.timeout(patienceMs);
  const unavailable = (what: string, cause?: unknown) =>
    new AppError('SERVICE_UNAVAILABLE', `${name} ${what}; the operator can set another one in RPC_URLS`, {
      retryAfterSeconds: retrySeconds,
      cause,
    });
  try {
    const id: unknown = await rpcClient(rpc, outbound, signal).request({ method: 'eth_chainId' });
    if (!isHex(id, { strict: true }) || id === '0x') {
      return new AppError('BAD_GATEWAY', `${name} sent an invalid answer`);
    }
    if (hexToBigInt(id) === evmChainId) return null;
    return new AppError('BAD_GATEWAY', `${name} says that it is the chain ${hexToBigInt(id)}`);
  } catch (error) {
    if (signal.aborted) return unavailable(`did not answer within ${patienceMs / 1000} seconds`, error);
    const failure = rpcFailure(error);
    // It answers JSON-RPC; not every RPC has this method.
    if (failure instanceof RpcRequestError) return null;
    if (failure instanceof OutboundError && !answered.has(failure.reason)) {
      const refused = /refused$/.test(failure.reason) || failure.reason === 'address-malformed';
      return unavailable(
        refused ? 'has an address that may not be called' : 'cannot be reached at the moment',
        failure,
      );
    }
    return new AppError('BAD_GATEWAY', `${name} sent an invalid answer`, { cause: failure });
  }
}
