import { createClient, http, HttpRequestError, RpcRequestError } from 'viem';
import { OutboundError } from '../../../outbound/error.js';
import type { Outbound } from '../../../outbound/request.js';
import { parseTarget } from '../../../outbound/target.js';
import { MetadataError } from './error.js';

/** The address of a chain's JSON-RPC, and whether the operator set it. */
export interface Rpc {
  url: string;
  trusted: boolean;
}

// A 1 MB document in a data: address, base64 and then hexadecimal, with room to spare.
const maxAnswerBytes = 4 * 1024 * 1024;

export type RpcClient = ReturnType<typeof rpcClient>;

/**
 * A client of a chain's JSON-RPC whose requests are guarded (outbound/fetch.ts).
 *
 * @throws OutboundError when the address of an RPC that the operator did not set cannot be used
 */
export function rpcClient(rpc: Rpc, outbound: Outbound, signal: AbortSignal) {
  if (!rpc.trusted) parseTarget(rpc.url);
  return createClient({
    transport: http(rpc.url, {
      // The queue repeats failed jobs, and the outbound request has its own time limits.
      retryCount: 0,
      timeout: 0,
      fetchFn: async (_url, init) => {
        const reply = await outbound({
          url: rpc.url,
          trusted: rpc.trusted,
          name: "the chain's RPC",
          method: 'POST',
          headers: Object.fromEntries(new Headers(init?.headers)),
          body: init?.body as string,
          maxBytes: maxAnswerBytes,
          signal,
        });
        // An error of JSON-RPC may have any status below 500; an answer without a body is no JSON-RPC.
        if (reply.status === 429 || reply.status >= 500) {
          throw new MetadataError('rpc-failed', `the chain's RPC answered with status ${reply.status}`, true);
        }
        if (reply.body.length === 0) throw invalidAnswer();
        const headers = { 'content-type': 'application/json' };
        return new Response(new Uint8Array(reply.body), { status: reply.status, headers });
      },
    }),
  });
}

/** What went wrong with a request of rpcClient. A RpcRequestError is an error that the RPC itself reports. */
export function rpcFailure(error: unknown): RpcRequestError | MetadataError | OutboundError {
  for (const cause of causesOf(error)) {
    if (
      cause instanceof OutboundError ||
      cause instanceof MetadataError ||
      cause instanceof RpcRequestError
    ) {
      return cause;
    }
    if (cause instanceof HttpRequestError && cause.status !== undefined) {
      const message = `the chain's RPC answered with status ${cause.status}`;
      return new MetadataError('rpc-failed', message, true, { cause });
    }
  }
  return invalidAnswer(error);
}

export function invalidAnswer(cause?: unknown): MetadataError {
  return new MetadataError('rpc-invalid', "the chain's RPC sent an invalid answer", true, { cause });
}

function causesOf(error: unknown): unknown[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}
