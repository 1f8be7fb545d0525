import fc from 'fast-check';
import { addresses, hashOf } from './evm-rows.js';
import { paging } from './list-model.js';
import {
  blockchainOf,
  evmIds,
  isWithin,
  newestFirst,
  sometimes,
  times,
  type Message,
} from './message-model.js';

const chainFilter = fc.option(
  fc.record({ evmId: fc.constantFrom(...evmIds, '999'), byEvmId: fc.boolean() }),
  sometimes,
);
/** Any list, including some that are refused. */
export const filters = fc.record({
  network: fc.option(fc.constantFrom('mainnet', 'fuji', 'testnet'), sometimes),
  source: chainFilter,
  destination: chainFilter,
  either: fc.option(fc.constantFrom(...evmIds), sometimes),
  from: fc.option(fc.constantFrom(...addresses), sometimes),
  to: fc.option(fc.constantFrom(...addresses), sometimes),
  ...times,
  tx: fc.option(fc.constantFrom('sending', 'delivery', 'nothing'), sometimes),
  status: fc.option(fc.constantFrom('pending', 'delivered', 'delivered_source_not_indexed'), sometimes),
  ...paging(9),
});
export type Filters = typeof filters extends fc.Arbitrary<infer T> ? T : never;

const statusOf = ({ delivered, sourceIndexed }: Message) =>
  !delivered ? 'pending' : sourceIndexed ? 'delivered' : 'delivered_source_not_indexed';

/** What the contract says of the list, by looking at every message. */
export function model(rows: readonly Message[], each: Filters): string[] {
  return newestFirst(
    rows
      .filter((row) => !each.network || row.network === each.network.replace('testnet', 'fuji'))
      .filter((row) => !each.source || row.source === each.source.evmId)
      .filter((row) => !each.destination || row.destination === each.destination.evmId)
      .filter((row) => !each.either || row.source === each.either || row.destination === each.either)
      .filter((row) => !each.from || row.from === each.from)
      .filter((row) => !each.to || row.to === each.to)
      .filter((row) => isWithin(row, each))
      .filter((row) => !each.status || statusOf(row) === each.status)
      .filter(({ delivered, sourceIndexed }) => {
        if (!each.tx) return true;
        return each.tx === 'sending' ? sourceIndexed || !delivered : each.tx === 'delivery' && delivered;
      }),
  );
}

/** The arguments that REST and GraphQL share. */
export function argumentsOf(each: Filters): Record<string, string> {
  const nameOf = (chain: NonNullable<Filters['source']>) =>
    chain.byEvmId ? chain.evmId : blockchainOf(chain.evmId);
  return {
    ...(each.network && { network: each.network }),
    ...(each.source && { sourceBlockchainId: nameOf(each.source) }),
    ...(each.destination && { destinationBlockchainId: nameOf(each.destination) }),
    ...(each.either && { blockchainId: blockchainOf(each.either) }),
    ...(each.from && { from: each.from.toLowerCase() }),
    ...(each.to && { to: `0x${each.to.slice(2).toUpperCase()}` }),
  };
}

/** The list's field over GraphQL with its arguments but the paging ones, left open. */
export const fieldOf = (each: Filters) =>
  `icmMessages(txHash: ${each.tx ? `"${hashOf(each.tx).toUpperCase()}"` : null}, status: ${each.status ?? null}, since: ${each.since ?? null}, until: ${each.until ?? null}, ${Object.entries(
    argumentsOf(each),
  )
    .map(([name, value]) => `${name}: ${name === 'network' ? value : JSON.stringify(value)}`)
    .join(', ')}`;
