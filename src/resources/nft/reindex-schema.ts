import type { Hex } from 'viem';
import { requireRight } from '../../access/authenticate.js';
import { AppError } from '../../errors.js';
import type { Builder } from '../../graphql/builder.js';
import type { Context } from '../../graphql/context.js';
import { findChain } from './chain.js';
import { readCollection, type CollectionArguments } from './input.js';
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
      description:
        "Has a token's metadata read from its chain again, in the background: once an hour for a token, else RATE_LIMITED with the seconds to wait. A token that is not held is taken in; the job finds out whether it exists.",
      args: {
        chainId: t.arg.string({
          required: true,
          description: 'EVM chain id (decimal) or blockchain id (CB58).',
        }),
        address: t.arg.string({ required: true, description: "Address of the collection's contract." }),
        tokenId: t.arg({ type: 'BigNumber', required: true, description: 'Id within the collection.' }),
      },
      resolve: (_root, args, context) => reindex(args, context),
    }),
  );
}

async function reindex(
  args: CollectionArguments & { tokenId: string },
  context: Context,
): Promise<ReindexPayload> {
  requireRight(context.caller, right, { keyRequired: context.config.REINDEX_REQUIRES_KEY });
  const { chain, address } = readCollection(args);
  const { storage, metadataJobs, now } = context;
  const known = await findChain(context, chain);
  if (!known) throw new AppError('NOT_FOUND', `The chain ${args.chainId} is not held here`);
  await metadataJobs.checkRpc(known.evmChainId);

  const token = { evmChainId: known.evmChainId, address: address as Hex, tokenId: BigInt(args.tokenId) };
  const requestedAt = now();
  const decision = await storage.turn(() =>
    requestReindex(storage.pool, metadataJobs.enqueue, token, new Date(requestedAt)),
  );
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
