import type { Outbound } from '../../../outbound/request.js';
import { shown } from '../../../outbound/target.js';
import type { EvmChain, NftTokenKey } from '../key.js';
import { type Gateways, onGateway } from './content-address.js';
import { readMetadataUri, type TokenStandard } from './contract.js';
import { decodeDataUri } from './data-uri.js';
import { imageDocument, parseDocument, type TokenDocument } from './document.js';
import { asMetadataError, MetadataError } from './error.js';
import type { Rpc } from './rpc.js';

export interface MetadataSources {
  outbound: Outbound;
  /** The JSON-RPC of a chain, looked up if the caller has not done so; null if none is known. */
  rpcOf: (evmChainId: bigint, chain?: EvmChain) => Promise<Rpc | null>;
  /** HTTP gateways to IPFS and Arweave. */
  gateways: Gateways;
}

export interface TokenMetadata {
  standard: TokenStandard;
  /**
   * The address at which the document was found, as the contract returns it; of a document that is its own
   * address only the beginning.
   */
  metadataAddress: string;
  document: TokenDocument;
}

const maxDocumentBytes = 1024 * 1024;
const jsonTypes =
  /^(application\/json|text\/json|application\/[a-z0-9.+-]+\+json|text\/plain|application\/octet-stream|binary\/octet-stream|)$/;
const imageTypes = /^image\//;
const gatewayNames = { ipfs: 'the IPFS gateway', arweave: 'the Arweave gateway' };
// Permanent as far as anyone can tell; other refusals (429, 5xx) may pass.
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
    const idHex = token.tokenId.toString(16).padStart(64, '0');
    const address = addressOf(found.text, idHex);
    return {
      standard: found.standard,
      metadataAddress: address.slice(0, isInline(address) ? 64 : 2_048),
      document: await readDocument(
        address,
        found.standard === 'ERC-1155' ? idHex : undefined,
        sources,
        signal,
      ),
    };
  } catch (error) {
    throw asMetadataError(error) ?? error;
  }
}

// ERC-1155 allows the id in any address; in an ERC-721 one `{id}` could mean nothing else. A document that is
// its own address has it if its standard says so.
function addressOf(text: string, idHex: string): string {
  const address = text.replaceAll('\0', '').trim();
  return isInline(address) ? address : address.replace(/\{id\}|%7bid%7d/gi, idHex);
}

async function readDocument(
  address: string,
  idHex: string | undefined,
  sources: MetadataSources,
  signal: AbortSignal,
): Promise<TokenDocument> {
  const { mediaType, bytes } = isInline(address)
    ? readInline(address)
    : await fetchDocument(address, sources, signal);
  if (imageTypes.test(mediaType)) return imageDocument(address);
  try {
    return parseDocument(bytes, idHex);
  } catch (error) {
    // A server's name for a document is not trusted, but shows people what came instead of one.
    if (jsonTypes.test(mediaType)) throw error;
    throw new MetadataError('content-type-refused', `the document is ${shown(mediaType)}, not JSON`, false);
  }
}

interface MediaBytes {
  /** Lower case. */
  mediaType: string;
  /** Null for an image, which is not read. */
  bytes: Buffer;
}

function readInline(address: string): MediaBytes {
  if (isData(address)) return decodeDataUri(address, maxDocumentBytes);
  return { mediaType: 'application/json', bytes: Buffer.from(address) };
}

async function fetchDocument(
  address: string,
  { outbound, gateways }: MetadataSources,
  signal: AbortSignal,
): Promise<MediaBytes> {
  const content = onGateway(address, gateways);
  const name = content ? gatewayNames[content.network] : hostOf(address);
  const reply = await outbound({
    url: content?.url ?? address,
    trusted: content !== null,
    name,
    headers: { accept: 'application/json, text/plain;q=0.9, */*;q=0.1' },
    maxBytes: maxDocumentBytes,
    unread: imageTypes,
    signal,
  });
  if (reply.status !== 200) {
    const message = `${name} answered with status ${reply.status}`;
    throw new MetadataError('document-missing', message, !missing.has(reply.status));
  }
  return { mediaType: reply.contentType, bytes: reply.body };
}

/** Whether the address is the document itself: `data:`, or plain JSON. */
function isInline(address: string): boolean {
  return isData(address) || address.startsWith('{');
}

function isData(address: string): boolean {
  return /^data:/i.test(address);
}

function hostOf(address: string): string {
  return shown(URL.canParse(address) ? new URL(address).host : 'the metadata server');
}
