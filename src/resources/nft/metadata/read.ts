import type { Outbound } from '../../../outbound/fetch.js';
import { shown } from '../../../outbound/target.js';
import type { EvmChain } from '../chain-loader.js';
import type { NftTokenKey } from '../key.js';
import { readMetadataUri, type TokenStandard } from './contract.js';
import { decodeDataUri } from './data-uri.js';
import { parseDocument, type TokenDocument } from './document.js';
import { asMetadataError, MetadataError } from './error.js';
import { ipfsGatewayUrl } from './ipfs.js';
import type { Rpc } from './rpc.js';

export interface MetadataSources {
  outbound: Outbound;
  /** The JSON-RPC of a chain, which is looked up where the caller has not done so; null where none is known. */
  rpcOf: (evmChainId: bigint, chain?: EvmChain) => Promise<Rpc | null>;
  /** HTTP gateway to IPFS, set by the operator. */
  ipfsGateway: string | undefined;
}

/** What was read of a token. */
export interface TokenMetadata {
  standard: TokenStandard;
  /** The address the document was found at, as the contract gives it; of a `data:` address only its beginning. */
  metadataAddress: string;
  document: TokenDocument;
}

const maxDocumentBytes = 1024 * 1024;
const jsonTypes =
  /^(application\/json|text\/json|application\/[a-z0-9.+-]+\+json|text\/plain|application\/octet-stream|binary\/octet-stream|)$/;
// Gone for good as far as anyone can tell; other refusals (429, 5xx) may pass.
const missing = new Set([400, 401, 403, 404, 405, 410, 451]);

/**
 * Reads a token's metadata: asks the contract for the document's address, fetches the document, parses it.
 *
 * @throws MetadataError with a reason for people; the reason of `signal` when that ended it
 */
export async function readMetadata(
  token: NftTokenKey,
  sources: MetadataSources,
  signal: AbortSignal,
): Promise<TokenMetadata> {
  try {
    const rpc = await sources.rpcOf(token.evmChainId);
    if (!rpc) {
      const message = `no RPC is configured for chain ${token.evmChainId} (RPC_URLS)`;
      throw new MetadataError('no-rpc', message, false);
    }
    const found = await readMetadataUri(token, rpc, sources.outbound, signal);
    const idHex = found.standard === 'ERC-1155' ? token.tokenId.toString(16).padStart(64, '0') : undefined;
    const address = (idHex ? found.text.replaceAll('{id}', idHex) : found.text).replaceAll('\0', '').trim();
    const bytes = await readDocument(address, sources, signal);
    return {
      standard: found.standard,
      metadataAddress: address.slice(0, isData(address) ? 64 : 2_048),
      document: parseDocument(bytes, idHex),
    };
  } catch (error) {
    throw asMetadataError(error) ?? error;
  }
}

async function readDocument(address: string, sources: MetadataSources, signal: AbortSignal): Promise<Buffer> {
  if (isData(address)) {
    const { mediaType, bytes } = decodeDataUri(address, maxDocumentBytes);
    checkType(mediaType);
    return bytes;
  }
  const ipfs = /^ip[fn]s:/i.test(address);
  const reply = await sources.outbound({
    url: ipfs ? ipfsGatewayUrl(address, sources.ipfsGateway) : address,
    trusted: ipfs,
    name: ipfs ? 'the IPFS gateway' : hostOf(address),
    headers: { accept: 'application/json, text/plain;q=0.9, */*;q=0.1' },
    maxBytes: maxDocumentBytes,
    signal,
  });
  if (reply.status !== 200) {
    const message = `${ipfs ? 'the IPFS gateway' : hostOf(address)} answered with status ${reply.status}`;
    throw new MetadataError('document-missing', message, !missing.has(reply.status));
  }
  checkType(reply.contentType);
  return reply.body;
}

function checkType(type: string): void {
  if (jsonTypes.test(type)) return;
  throw new MetadataError('content-type-refused', `the document is ${shown(type)}, not JSON`, false);
}

function isData(address: string): boolean {
  return /^data:/i.test(address);
}

function hostOf(address: string): string {
  return shown(URL.canParse(address) ? new URL(address).host : 'the metadata server');
}
