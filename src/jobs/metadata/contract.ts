import {
  createClient,
  decodeErrorResult,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  http,
  HttpRequestError,
  isHex,
  parseAbi,
  RpcRequestError,
} from 'viem';
import { OutboundError } from '../outbound/error.js';
import type { Outbound } from '../outbound/fetch.js';
import { parseTarget, shown } from '../outbound/target.js';
import { MetadataError } from './error.js';

/** Where a chain's JSON-RPC is, and whether the operator said so. */
export interface Rpc {
  url: string;
  trusted: boolean;
}

export interface Token {
  evmChainId: bigint;
  /** 0x and 40 hex digits. */
  address: Hex;
  tokenId: bigint;
}

export type TokenStandard = 'ERC-721' | 'ERC-1155';

export interface TokenAddress {
  /** As the contract gives it; `{id}` is not replaced yet. */
  text: string;
  standard: TokenStandard;
}

const abi = parseAbi([
  'function tokenURI(uint256 tokenId) view returns (string)',
  'function uri(uint256 id) view returns (string)',
]);
const errorAbi = parseAbi(['error Error(string reason)']);
// A 1 MB document in a data: address, base64 and then hexadecimal, with room to spare.
const maxAnswerBytes = 4 * 1024 * 1024;

// How the clients of this family of chains word a failed execution; only a plain revert has a code of its own (3).
const executionFailed = /revert|invalid opcode|invalid jump|out of gas|stack (under|over)flow/i;

/** What one function of a contract answered: its text, or why there is none. */
type Answer = { text: string } | { text: null; revert: string | null };

/**
 * Asks a token's contract for the address of its metadata: `tokenURI(uint256)` of ERC-721, else `uri(uint256)`
 * of ERC-1155.
 *
 * @throws MetadataError `no-metadata-address`, `rpc-failed`, `rpc-invalid`; OutboundError for a guarded RPC
 */
export async function readTokenAddress(
  token: Token,
  rpc: Rpc,
  outbound: Outbound,
  signal: AbortSignal,
): Promise<TokenAddress> {
  if (!rpc.trusted) parseTarget(rpc.url);
  const request = rpcRequest(rpc, outbound, signal);
  const tokenUri = await call(request, token, 'tokenURI');
  if (tokenUri.text) return { text: tokenUri.text, standard: 'ERC-721' };
  const uri = await call(request, token, 'uri');
  if (uri.text) return { text: uri.text, standard: 'ERC-1155' };
  const revert = (tokenUri.text === null && tokenUri.revert) || (uri.text === null && uri.revert);
  throw new MetadataError(
    'no-metadata-address',
    `the contract ${token.address} gives no metadata address for this token: neither tokenURI(uint256) nor uri(uint256)` +
      (revert ? ` (it says: ${shown(revert)})` : ''),
    false,
  );
}

type RpcRequest = (data: Hex, to: Hex) => Promise<unknown>;

// eth_call as a bare request and not viem's `call` action: that one follows an OffchainLookup revert (ERC-3668) to
// any address a contract names.
function rpcRequest(rpc: Rpc, outbound: Outbound, signal: AbortSignal): RpcRequest {
  const client = createClient({
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
        // An error of JSON-RPC may come with any status below 500, an answer without a body is none.
        if (reply.status === 429 || reply.status >= 500) {
          throw new MetadataError('rpc-failed', `the chain's RPC answered with status ${reply.status}`, true);
        }
        if (reply.body.length === 0) throw invalidAnswer();
        const headers = { 'content-type': 'application/json' };
        return new Response(new Uint8Array(reply.body), { status: reply.status, headers });
      },
    }),
  });
  return (data, to) => client.request({ method: 'eth_call', params: [{ to, data }, 'latest'] });
}

async function call(request: RpcRequest, token: Token, functionName: 'tokenURI' | 'uri'): Promise<Answer> {
  const data = encodeFunctionData({ abi, functionName, args: [token.tokenId] });
  let result: unknown;
  try {
    result = await request(data, token.address);
  } catch (error) {
    return explainFailure(error);
  }
  if (!isHex(result, { strict: true }) || result.length % 2 !== 0) {
    throw invalidAnswer();
  }
  try {
    return { text: decodeFunctionResult({ abi, functionName, data: result }) };
  } catch {
    // No code at the address, or a function of this selector that returns something else.
    return { text: null, revert: null };
  }
}

/** A revert as an answer; everything else is thrown on as a failure of the RPC. */
function explainFailure(error: unknown): Answer {
  for (const cause of causesOf(error)) {
    if (cause instanceof OutboundError || cause instanceof MetadataError) throw cause;
    if (cause instanceof RpcRequestError) {
      if (cause.code === 3 || executionFailed.test(cause.details)) {
        return { text: null, revert: revertReason(cause.data) };
      }
      throw new MetadataError('rpc-failed', "the chain's RPC answered with an error", true, { cause });
    }
    if (cause instanceof HttpRequestError && cause.status !== undefined) {
      const message = `the chain's RPC answered with status ${cause.status}`;
      throw new MetadataError('rpc-failed', message, true, { cause });
    }
  }
  throw invalidAnswer(error);
}

function invalidAnswer(cause?: unknown): MetadataError {
  return new MetadataError('rpc-invalid', "the chain's RPC answered invalidly", true, { cause });
}

function causesOf(error: unknown): unknown[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}

function revertReason(data: unknown): string | null {
  if (!isHex(data)) return null;
  try {
    return decodeErrorResult({ abi: errorAbi, data }).args[0];
  } catch {
    return null;
  }
}
