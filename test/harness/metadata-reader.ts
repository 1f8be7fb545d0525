import type { RequestListener } from 'node:http';
import { readMetadata, type TokenMetadata } from '../../src/resources/nft/metadata/read.js';
import type { Rpc } from '../../src/resources/nft/metadata/rpc.js';
import { createOutbound } from '../../src/outbound/fetch.js';
import { type Contract, serveJsonRpc } from './json-rpc.js';
import { serveHttp } from './loopback.js';

/** The contract of every token that is read. */
export const address = `0x${'ab'.repeat(20)}` as const;

/** What a test changes; null for something that is missing. */
export interface ReadOptions {
  tokenId?: bigint;
  rpc?: Rpc | null;
  /**
   * Whether the web server is a gateway to IPFS (under /gateway) and to Arweave (under /arweave); otherwise
   * there is none.
   */
  gateways?: boolean;
}

/** A chain with one contract, and a web server for what its tokens point to. */
export interface MetadataReader {
  webUrl: string;
  /** Paths of requests to the web server since the last reading began, in order. */
  asked: () => string[];
  /**
   * Reads the metadata of a token whose contract has these functions; the web server is both gateways too.
   */
  read: (functions: Contract, options?: ReadOptions) => Promise<TokenMetadata>;
  close: () => Promise<void>;
}

/** Starts both, and reads from them without a database. */
export async function openMetadataReader(serveDocument: RequestListener): Promise<MetadataReader> {
  const contract: Contract = {};
  let asked: string[] = [];
  const rpc = await serveJsonRpc({ [address]: contract });
  const web = await serveHttp((request, response) => {
    asked.push(request.url!);
    serveDocument(request, response);
  });
  return {
    webUrl: web.url,
    asked: () => asked,
    async read(functions, options = {}) {
      for (const name of Object.keys(contract)) delete contract[name as keyof Contract];
      Object.assign(contract, functions);
      asked = [];
      const sources = {
        outbound: createOutbound({ allowLoopback: true }),
        rpcOf: () =>
          Promise.resolve(options.rpc === undefined ? { url: rpc.url, trusted: true } : options.rpc),
        gateways: {
          ipfs: options.gateways === false ? undefined : `${web.url}/gateway/`,
          arweave: options.gateways === false ? undefined : `${web.url}/arweave`,
        },
      };
      const token = { evmChainId: 43113n, address, tokenId: options.tokenId ?? 1n };
      return readMetadata(token, sources, new AbortController().signal);
    },
    async close() {
      await rpc.close();
      await web.close();
    },
  };
}
