import { requireRight } from '../../access/authenticate.js';
import { AppError } from '../../errors.js';
import { argumentRefs, argumentsOf } from '../../graphql/arguments.js';
import type { Builder } from '../../graphql/builder.js';
import type { Context } from '../../graphql/context.js';
import { nftTokenArguments } from './arguments.js';
import { loadEvmChain } from './chain-loader.js';
import { nftTokenLoader } from './loaders.js';
import type { NftTokenNode } from './row.js';
import { nextReindexAt, requestReindex } from './store.js';

/** What an accepted request gives. */
export interface ReindexPayload {
  token: NftTokenNode;
  /** Seconds since 1970. */
  nextReindexAt: number;
}

/** The right that a key needs. */
const right = 'reindex';

/** Registers the mutation reindexNft. */
export function registerReindex(builder: Builder): void {
  builder.objectType('ReindexNftPayload', {
    description: 'An accepted request to reindex an NFT.',
    fields: (t) => ({
      token: t.field({
        type: 'NftToken',
        description: 'The token. Ask for it again later to see what came of the request.',
        resolve: (payload) => payload.token,
      }),
      nextReindexAt: t.expose('nextReindexAt', {
        type: 'Long',
        description: 'From when on the next request for this token is accepted, Unix seconds.',
      }),
    }),
  });

  builder.mutationField('reindexNft', (t) =>
    t.field({
      type: 'ReindexNftPayload',
      // One that is refused leaves its neighbours their answers.
      nullable: true,
      description:
        "Has a token's metadata read from its chain again, in the background: once an hour for a token, else RATE_LIMITED with the seconds to wait. A token that is not held is taken in; the job finds out whether it exists. Null, with an error, where the request is refused.",
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
  if (!known) throw new AppError('NOT_FOUND', `The chain ${String(args.chainId)} is not held here`);
  await metadataJobs.checkRpc(known);

  const token = { evmChainId: known.evmChainId, address, tokenId };
  const requestedAt = now();
  const decision = await requestReindex(storage.prisma, metadataJobs.enqueue, token, new Date(requestedAt));
  if (!decision.accepted) {
    const { retryAfterSeconds } = decision;
    throw new AppError(
      'RATE_LIMITED',
      `The token ${token.tokenId} of ${address} on the chain ${token.evmChainId} was reindexed less than an hour ago; ` +
        `it can be again in ${retryAfterSeconds} second${retryAfterSeconds === 1 ? '' : 's'}`,
      { retryAfterSeconds },
    );
  }
  metadataJobs.wake();
  const stored = await nftTokenLoader(context).clear(token).load(token);
  if (!stored) throw new Error(`the token of an accepted request is not there: ${address} ${token.tokenId}`);
  return { token: stored, nextReindexAt: nextReindexAt(requestedAt) };
}
