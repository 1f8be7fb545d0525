import type { JobTimes } from '../../src/jobs/queue.js';
import { createApp, type GraphQLReply, type TestApp } from './app.js';

const times: JobTimes = { run: 5, lost: 8, maintenance: 1, poll: 0.05, retryDelay: 1, retries: 1 };

/** How long a token cannot be reindexed again, milliseconds. */
export const hour = 3_600_000;
/** Its address is written in upper and lower case. */
export const erc721 = `0xA1${'a1'.repeat(19)}`;
/** A contract without tokens. */
export const none = `0x${'f6'.repeat(20)}`;

/** A gateway whose worker soon does each job, for the tokens of one chain, whose RPC is on this machine. */
export function createReindexingApp(rpcUrl: string, env: Record<string, string> = {}): Promise<TestApp> {
  const settings = {
    WORKER: 'on',
    RPC_URLS: JSON.stringify({ 43113: rpcUrl }),
    FETCH_ALLOW_LOOPBACK: 'true',
    ...env,
  };
  return createApp(settings, { times });
}

/** The path to which a request to reindex a token is sent over REST. */
export const reindexPath = (
  address: string,
  tokenId: string | bigint,
  chainId = '43113',
  colon = ':',
): string => `/v1/chains/${chainId}/nfts/collections/${address}/tokens/${tokenId}${colon}reindex`;

/** A reply with the body of a refusal. */
export interface Refusal {
  status: number;
  headers: Record<string, string>;
  body: { message: string | string[]; error: string; statusCode: number };
}

/** Posts to a path where a refusal is expected. */
export const refused = (app: TestApp, path: string): Promise<Refusal> => app.post(path);

/** A request to reindex over GraphQL; its variables are chainId, address and tokenId. */
export const reindexMutation = /* GraphQL */ `
  mutation ($chainId: String!, $address: String!, $tokenId: BigNumber!) {
    reindexNft(chainId: $chainId, address: $address, tokenId: $tokenId) {
      token {
        id
        tokenId
      }
      nextReindexAt
    }
  }
`;

/** Requests over GraphQL that a token is reindexed. */
export const reindex = (
  app: TestApp,
  chainId: string,
  address: string,
  tokenId: string,
): Promise<GraphQLReply<Record<string, unknown>>> =>
  app.graphql(reindexMutation, { chainId, address, tokenId });

/** All that is shown of a token; its variables are chainId, address and tokenId. */
export const tokenQuery = /* GraphQL */ `
  query Token($chainId: String = "43113", $address: String!, $tokenId: BigNumber!) {
    nftToken(chainId: $chainId, address: $address, tokenId: $tokenId) {
      id
      chainId
      address
      tokenId
      owner
      metadataStatus
      failureReason
      lastReindexAt
      nextReindexAt
      metadata {
        standard
        address
        name
        description
        image
        attributes {
          traitType
          value
          displayType
        }
        raw
      }
    }
  }
`;

/** The data of tokenQuery. */
export interface ShownToken {
  id: string;
  metadataStatus: string;
  failureReason: string | null;
  nextReindexAt: number | null;
  [field: string]: unknown;
}

/** A token of the chain 43113 as GraphQL shows it; null when it is not stored. */
export async function readToken(
  app: TestApp,
  address: string,
  tokenId: string | bigint,
): Promise<ShownToken | null> {
  const variables = { address, tokenId: `${tokenId}` };
  const { data } = await app.graphql<{ nftToken: ShownToken | null }>(tokenQuery, variables);
  return data.nftToken;
}
