import {
  decodeErrorResult,
  decodeFunctionResult,
  encodeFunctionData,
  isHex,
  parseAbi,
  RpcRequestError,
} from 'viem';
import type { Hex } from 'viem';
import type { Outbound } from '../../../outbound/request.js';
import { shown } from '../../../outbound/target.js';
import type { NftTokenKey } from '../key.js';
import { MetadataError } from './error.js';
import { invalidAnswer, type Rpc, type RpcClient, rpcClient, rpcFailure } from './rpc.js';

export type TokenStandard = 'ERC-721' | 'ERC-1155';

export interface MetadataUri {
  /** As the contract returns it; `{id}` is not replaced yet. */
  text: string;
  standard: TokenStandard;
}

const abi = parseAbi([
  'function tokenURI(uint256 tokenId) view returns (string)',
  'function uri(uint256 id) view returns (string)',
  'function supportsInterface(bytes4 interfaceId) view returns (bool)',
]);
/** The interface of ERC-1155, by ERC-165. */
const erc1155 = '0xd9b67a26';
const errorAbi = parseAbi(['error Error(string reason)']);

// How the clients of this family of chains word a failed execution; only a plain revert has its own code (3).
const executionFailed = /revert|invalid opcode|invalid jump|out of gas|stack (under|over)flow/i;

/** What a call of a contract returned, or why it returned nothing. */
type Answer<T> = { value: T } | { value: null; revert: string | null };

/**
 * Asks a token's contract for the address of its metadata: `tokenURI(uint256)` of ERC-721, else
 * `uri(uint256)` of ERC-1155. If a contract answers both, `uri` counts if the contract says that it supports
 * ERC-1155.
 *
 * @throws MetadataError `no-metadata-address`, `rpc-failed`, `rpc-invalid`; OutboundError for a guarded RPC
 */
export async function readMetadataUri(
  token: NftTokenKey,
  rpc: Rpc,
  outbound: Outbound,
  signal: AbortSignal,
): Promise<MetadataUri> {
  const client = rpcClient(rpc, outbound, signal);
  const tokenUri = await readText(client, token, 'tokenURI');
  if (tokenUri.value && !(await isMultiToken(client, token))) {
    return { text: tokenUri.value, standard: 'ERC-721' };
  }
  const uri = await readText(client, token, 'uri');
  const text = uri.value || tokenUri.value;
  if (text) return { text, standard: 'ERC-1155' };
  const revert = (tokenUri.value === null && tokenUri.revert) || (uri.value === null && uri.revert);
  throw new MetadataError(
    'no-metadata-address',
    `the contract ${token.address} gives no metadata address for this token: neither tokenURI(uint256) nor uri(uint256)` +
      (revert ? ` (it says: ${shown(revert)})` : ''),
    false,
  );
}

async function readText(
  client: RpcClient,
  token: NftTokenKey,
  functionName: 'tokenURI' | 'uri',
): Promise<Answer<string>> {
  const data = encodeFunctionData({ abi, functionName, args: [token.tokenId] });
  const returned = await call(client, token, data);
  if (returned.value === null) return returned;
  try {
    return { value: decodeFunctionResult({ abi, functionName, data: returned.value }) };
  } catch {
    // There is no code at the address, or a function with this selector returns something else.
    return { value: null, revert: null };
  }
}

async function isMultiToken(client: RpcClient, token: NftTokenKey): Promise<boolean> {
  const functionName = 'supportsInterface';
  const data = encodeFunctionData({ abi, functionName, args: [erc1155] });
  const { value } = await call(client, token, data);
  try {
    return value !== null && decodeFunctionResult({ abi, functionName, data: value });
  } catch {
    return false;
  }
}

async function call(client: RpcClient, token: NftTokenKey, data: Hex): Promise<Answer<Hex>> {
  let result: unknown;
  try {
    // A bare request and not viem's `call` action, which after an OffchainLookup revert (ERC-3668) sends a
    // request to any address that a contract names.
    result = await client.request({ method: 'eth_call', params: [{ to: token.address, data }, 'latest'] });
  } catch (error) {
    return explainFailure(error);
  }
  if (!isHex(result, { strict: true }) || result.length % 2 !== 0) throw invalidAnswer();
  return { value: result };
}

/** A revert as an answer; everything else is rethrown as a failure of the RPC. */
function explainFailure(error: unknown): Answer<never> {
  const failure = rpcFailure(error);
  if (!(failure instanceof RpcRequestError)) throw failure;
  if (failure.code === 3 || executionFailed.test(failure.details)) {
    return { value: null, revert: revertReason(failure.data) };
  }
  throw new MetadataError('rpc-failed', "the chain's RPC answered with an error", true, { cause: failure });
}

function revertReason(data: unknown): string | null {
  if (!isHex(data)) return null;
  try {
    return decodeErrorResult({ abi: errorAbi, data }).args[0];
  } catch {
    return null;
  }
}
