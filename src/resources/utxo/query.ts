import { parseNetwork, type Network } from '../../avalanche/networks.js';
import { readAddresses, readId, readPrimaryChain } from '../../avalanche/input.js';
import { Problems } from '../../errors.js';
import { ceilDecimal } from '../../numbers.js';
import type { ListOrder } from '../../paging/keyset.js';
import type { UtxoQuery } from './store.js';

/** The arguments of a UTXO list as a caller gives them. */
export interface UtxoArguments {
  network: string;
  blockchainId: string;
  addresses?: readonly string[] | null;
  assetId?: string | null;
  minUtxoAmount?: string | null;
  includeSpent?: boolean | null;
  sortBy?: 'timestamp' | 'amount' | null;
  sortOrder?: ListOrder | null;
}

/**
 * Resolves a list's arguments (contract.md, "UTXOs").
 *
 * @throws AppError BAD_USER_INPUT that names every wrong argument
 */
export function resolveUtxoQuery(args: UtxoArguments): UtxoQuery {
  const network = parseNetwork(args.network) as Network;
  const problems = new Problems();
  const chain = problems.check(() => readPrimaryChain('blockchainId', network, args.blockchainId));
  const addresses = problems.check(() => readAddresses('addresses', network, args.addresses ?? []));
  // Assets other than AVAX exist on the X-chain alone, so elsewhere the filter is ignored, right or wrong.
  const assetId =
    chain === 'x' && args.assetId ? problems.check(() => readId('assetId', args.assetId ?? '')) : null;
  problems.throwIfAny();
  return {
    network,
    chain: chain ?? 'p',
    addresses: addresses ?? [],
    assetId: assetId ?? null,
    minimum: ceilDecimal(args.minUtxoAmount ?? '0') ?? 0n,
    includeSpent: args.includeSpent ?? false,
    sortBy: args.sortBy ?? 'timestamp',
    sortOrder: args.sortOrder ?? 'desc',
  };
}

/** What a page token of the list belongs to: everything that decides which rows it has and in which order. */
export function utxoQueryIdentity(query: UtxoQuery): unknown[] {
  const { network, chain, addresses, assetId, minimum, includeSpent, sortBy, sortOrder } = query;
  return [network, chain, addresses, assetId, minimum, includeSpent, sortBy, sortOrder];
}
