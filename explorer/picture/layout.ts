import { sankey, sankeyLeft, type SankeyGraph } from 'd3-sankey';
import type { OutputLineFragment } from '../generated/graphql.js';

/** Size of the picture in its own units. */
export const WIDTH = 720;
export const ROW_HEIGHT = 22;

/** A bar of the picture: an output, or the transaction between its inputs and outputs. */
export interface Bar {
  id: string;
  /** Undefined for the transaction itself. */
  output?: OutputLineFragment;
}

export type Picture = SankeyGraph<Bar, object>;

/** An output is drawn with at least this part of the width of the largest of its asset. */
const LEAST_WIDTH = 0.04;
const CENTRE = 'transaction';

/**
 * Places the consumed outputs left of the transaction and the emitted ones right of it.
 */
export function pictureOf(
  consumed: readonly OutputLineFragment[],
  emitted: readonly OutputLineFragment[],
): { picture: Picture; height: number } {
  const height = Math.max(consumed.length, emitted.length, 1) * ROW_HEIGHT + ROW_HEIGHT;
  const width = widthsOf([...consumed, ...emitted]);
  const left = consumed.map((output) => ({ id: `in ${output.utxoId}`, output }));
  const right = emitted.map((output) => ({ id: `out ${output.utxoId}`, output }));
  const layout = sankey<Bar, object>()
    .nodeId(({ id }) => id)
    // So that the columns are as many as there are: genesis consumed nothing.
    .nodeAlign(sankeyLeft)
    .nodeSort(null)
    .nodeWidth(8)
    .nodePadding(15)
    .extent([
      [0, 8],
      [WIDTH, height - 8],
    ]);
  const picture = layout({
    nodes: [...left, { id: CENTRE }, ...right],
    links: [
      ...left.map(({ id, output }) => ({ source: id, target: CENTRE, value: width(output) })),
      ...right.map(({ id, output }) => ({ source: CENTRE, target: id, value: width(output) })),
    ],
  });
  return { picture, height };
}

/**
 * How wide each output is, relative to the largest of its asset, since amounts of different assets cannot be
 * compared.
 */
export function widthsOf<Output extends Sized>(outputs: readonly Output[]): (output: Output) => number {
  const largest = new Map<string, number>();
  for (const { asset } of outputs)
    largest.set(asset.assetId, Math.max(largest.get(asset.assetId) ?? 0, Number(asset.amount)));
  return ({ asset }) => Math.max(LEAST_WIDTH, Number(asset.amount) / (largest.get(asset.assetId) || 1));
}

interface Sized {
  asset: { assetId: string; amount: string };
}
