import type { MovedOutputFragment } from './generated/graphql.js';

type Asset = MovedOutputFragment['asset'];

/** What a transaction moved, and between whom, as far as its outputs were asked. */
export interface Moved {
  /** Sums by asset. */
  amounts: Asset[];
  /** Whether it has more outputs than were asked. */
  isMore: boolean;
  from: string[];
  to: string[];
  /** Of all outputs that it emitted. */
  assets: Asset[];
}

interface Outputs {
  pageInfo: { hasNextPage: boolean };
  nodes: readonly MovedOutputFragment[];
}

/**
 * What is moved: of an import what came from another chain, of an export what goes to one, otherwise what
 * others get than those who had it. If nobody else gets something, all of it.
 */
export function movedBy({
  consumedUtxos,
  emittedUtxos,
}: {
  consumedUtxos: Outputs;
  emittedUtxos: Outputs;
}): Moved {
  const from = ownersOf(consumedUtxos.nodes);
  const came = consumedUtxos.nodes.filter(isCrossing);
  const goes = emittedUtxos.nodes.filter(isCrossing);
  const others = emittedUtxos.nodes.filter(
    ({ addresses }) => !addresses.every((each) => from.includes(each)),
  );
  const [side, outputs] =
    came.length > 0
      ? [consumedUtxos, came]
      : [emittedUtxos, [goes, others].find(({ length }) => length > 0) ?? emittedUtxos.nodes];
  return {
    amounts: sumsOf(outputs),
    isMore: side.pageInfo.hasNextPage,
    from,
    to: ownersOf(others),
    assets: emittedUtxos.nodes.map(({ asset }) => asset),
  };
}

const isCrossing = ({ createdOnChainId, consumedOnChainId }: MovedOutputFragment) =>
  createdOnChainId !== consumedOnChainId;

const ownersOf = (outputs: readonly MovedOutputFragment[]) => [
  ...new Set(outputs.flatMap(({ addresses }) => addresses)),
];

function sumsOf(outputs: readonly MovedOutputFragment[]): Asset[] {
  const sums = new Map<string, Asset>();
  for (const { asset } of outputs) {
    const sum = BigInt(sums.get(asset.assetId)?.amount ?? 0) + BigInt(asset.amount);
    sums.set(asset.assetId, { ...asset, amount: String(sum) });
  }
  return [...sums.values()];
}
