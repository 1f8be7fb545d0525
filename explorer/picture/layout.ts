import { sankey, sankeyLeft, type SankeyGraph } from 'd3-sankey';
import type { OutputLineFragment } from '../generated/graphql.js';

/** Pixels for an output: two lines of text. */
export const ROW_HEIGHT = 40;

/** A bar of the picture: an output, or the transaction between its inputs and outputs. */
export interface Bar {
  id: string;
  /** Undefined for the transaction itself. */
  output?: OutputLineFragment;
}

/** What flows from or to an output. */
export interface Flowing {
  output: OutputLineFragment;
}

export type Picture = SankeyGraph<Bar, Flowing>;

/** An output is drawn with at least this part of the width of the largest of its asset. */
const LEAST_WIDTH = 0.04;
const CENTRE = 'transaction';

/** Room for the texts of a side, pixels: on a phone that of 15 characters. */
const roomOf = (width: number) => Math.min(190, width * 0.38);

/**
 * Places the consumed outputs left of the transaction and the emitted ones right of it, with room for texts
 * at both sides.
 *
 * @param width of the picture, pixels
 */
export function pictureOf(
  consumed: readonly OutputLineFragment[],
  emitted: readonly OutputLineFragment[],
  width: number,
): { picture: Picture; height: number } {
  const height = (Math.max(consumed.length, emitted.length, 1) + 0.5) * ROW_HEIGHT;
  const share = widthsOf([...consumed, ...emitted]);
  const left = consumed.map((output) => ({ id: `in ${output.utxoId}`, output }));
  const right = emitted.map((output) => ({ id: `out ${output.utxoId}`, output }));
  const layout = sankey<Bar, Flowing>()
    .nodeId(({ id }) => id)
    // So that the columns are as many as there are: genesis consumed nothing.
    .nodeAlign(sankeyLeft)
    .nodeSort(null)
    .nodeWidth(8)
    .nodePadding(ROW_HEIGHT - 8)
    .extent([
      [left.length > 0 ? roomOf(width) : 0, ROW_HEIGHT / 2],
      [right.length > 0 ? width - roomOf(width) : width, height - ROW_HEIGHT / 2],
    ]);
  const picture = layout({
    nodes: [...left, { id: CENTRE }, ...right],
    links: [
      ...left.map(({ id, output }) => ({ source: id, target: CENTRE, value: share(output), output })),
      ...right.map(({ id, output }) => ({ source: CENTRE, target: id, value: share(output), output })),
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
