import { decodeFunctionData, encodeErrorResult, encodeFunctionResult, type Hex, parseAbi } from 'viem';
import { type LoopbackServer, serveHttp } from './loopback.js';

const abi = parseAbi([
  'function tokenURI(uint256 tokenId) view returns (string)',
  'function uri(uint256 id) view returns (string)',
  'function supportsInterface(bytes4 interfaceId) view returns (bool)',
]);
const errorAbi = parseAbi(['error Error(string reason)']);

/** A token contract: what its functions return; a missing one reverts. */
export interface Contract {
  tokenURI?: (id: bigint) => string;
  uri?: (id: bigint) => string;
  supportsInterface?: (interfaceId: Hex) => boolean;
}

interface Call {
  id: number;
  method: string;
  params: [{ to: Hex; data: Hex }];
}

/**
 * A JSON-RPC server that answers eth_chainId, and eth_call for the given contracts by address (lower case).
 *
 * @param chainId the chain of its answer
 */
export function serveJsonRpc(contracts: Record<string, Contract>, chainId = 43113): Promise<LoopbackServer> {
  return serveHttp((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const call = JSON.parse(Buffer.concat(chunks).toString()) as Call;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id: call.id, ...answer(contracts, call, chainId) }));
    })();
  });
}

function answer(contracts: Record<string, Contract>, { method, params }: Call, chainId: number): object {
  if (method === 'eth_chainId') return { result: `0x${chainId.toString(16)}` };
  if (method !== 'eth_call')
    return { error: { code: -32601, message: `the method ${method} does not exist` } };
  const [{ to, data }] = params;
  const contract = contracts[to.toLowerCase()];
  if (!contract) return { result: '0x' };
  const { functionName, args } = decodeFunctionData({ abi, data });
  const read = contract[functionName];
  if (!read) {
    const revert = encodeErrorResult({
      abi: errorAbi,
      errorName: 'Error',
      args: [`${functionName}: no such token`],
    });
    return { error: { code: 3, message: 'execution reverted', data: revert } };
  }
  const result = read(args[0] as never);
  return { result: encodeFunctionResult({ abi, functionName, result }) };
}
