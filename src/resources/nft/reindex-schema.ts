import { requireRight } from '../../access/authenticate.js';
import { AppError } from '../../errors.js';
import { argumentRefs, argumentsOf } from '../../graphql/arguments.js';
import type { Builder } from '../../graphql/builder.js';
import type { Context } from '../../graphql/context.js';
import { rowLoader } from '../../graphql/row-loader.js';
import { nftTokenArguments } from './arguments.js';
import { loadEvmChain } from './chain-loader.js';
import { findNftTokens } from './list.js';
import type { NftTokenNode } from './row.js';
import { nextReindexAt, requestReindex } from './store.js';

/** The result of an accepted request. */
export interface ReindexPayload {
  token: NftTokenNode;
  /** Seconds since 1970. */
  nextReindexAt: number;
}

/** The right that a key needs. */
const right = 'reindex';

export function registerReindex(builder: Builder): void {
  builder.objectType('ReindexNftPayload', {
    description: 'An accepted request to reindex an NFT.',
    fields: (t) => ({
      token: t.field({
        type: 'NftToken',
        description: 'The token. Query it again later to see the result of the request.',
        resolve: (payload) => payload.token,
      }),
      nextReindexAt: t.expose('nextReindexAt', {
        type: 'Long',
        description: 'When the next request for this token is accepted, Unix seconds.',
      }),
    }),
  });

  builder.mutationField('reindexNft', (t) =>
    t.field({
      type: 'ReindexNftPayload',
      // Nullable, so that a refused one leaves the other fields their answers.
      nullable: true,
      description:
        "Reads a token's metadata from its chain again, in the background. Accepted once an hour for each token; otherwise refused with RATE_LIMITED and the seconds to wait. A token that is not indexed yet is added, and the job checks whether it exists. Null, with an error, when the request is refused.",
      args: argumentRefs(t, nftTokenArguments),
      resolve: (_root, args, context) => reindex(args, context),
    }),
  );
}

async function reindex(args: { chainId?: unknown }, context: Context): Promise<ReindexPayload> {
  requireRight(context.caller, right, { keyRequired: context.config.REINDEX_REQUIRES_KEY });
  const { chainId, address, tokenId } = argumentsOf(nftTokenArguments, args, context);
  const { storage, metadataJobs, now } = context;
  const known = await loadEvmChain(context, chainId);
  if (!known) throw new AppError('NOT_FOUND', `The chain ${String(args.chainId)} is not indexed here`);
  await metadataJobs.checkRpc(known);

  const token = { evmChainId: known.evmChainId, address, tokenId };
  const requestedAt = now();
  const decision = await requestReindex(storage.prisma, metadataJobs.enqueue, token, new Date(requestedAt));
  if (!decision.accepted) {
    const { retryAfterSeconds } = decision;
    throw new AppError(
      'RATE_LIMITED',
      `The token ${token.tokenId} of ${address} on the chain ${token.evmChainId} was reindexed less than an hour ago; ` +
        `it can be reindexed again in ${retryAfterSeconds} second${retryAfterSeconds === 1 ? '' : 's'}`,
      { retryAfterSeconds },
    );
  }
  metadataJobs.wake();
  const stored = await rowLoader(context, findNftTokens).clear(token).load(token);
  if (!stored) throw new Error(`the token of an accepted request is not stored: ${address} ${token.tokenId}`);
  return { token: stored, nextReindexAt: nextReindexAt(requestedAt) };
}
