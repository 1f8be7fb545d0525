import { sankey, type SankeyGraph } from 'd3-sankey';
import type { AroundQuery, HopLineFragment } from '../generated/things/graphql.js';
import { widthsOf } from './layout.js';

export type Around = NonNullable<AroundQuery['transaction']>;
/** One of the outputs that the document selects, with the transactions behind it as far as they are asked. */
type Consumed = HopLineFragment & { creatingTransaction?: { consumedUtxos: Page<Consumed> } | null };
type Emitted = HopLineFragment & {
  consumingTransaction?: { blockchainAlias: string; emittedUtxos?: Page<Emitted> } | null;
};
interface Page<Output> {
  pageInfo: { hasNextPage: boolean };
  nodes: Output[];
}

/** A transaction of the picture, or the end of an unspent output. */
export interface Stop {
  id: string;
  /** Steps from the transaction of the page, negative before it. */
  step: number;
  /** Undefined for the end of an unspent output. */
  hash?: string;
  /** Alias or id of its chain. */
  chain: string;
  /** The unspent output that ends here. */
  output?: HopLineFragment;
}

/** An output: from the transaction that created it to the one that consumed it. */
export interface Way {
  source: string;
  target: string;
  value: number;
  output: HopLineFragment;
  step: number;
}

export interface Hops {
  stops: Map<string, Stop>;
  ways: Map<string, Way>;
  /** Transactions that have more outputs than the picture. */
  cut: Set<string>;
}

/** Most steps that the document selects on each side. The picture begins with one. */
export const MOST_STEPS = 3;

/**
 * The outputs around a transaction, as a graph. A transaction that is found at two distances is drawn at
 * both. So no imported rows can make a cycle, for which the layout throws.
 *
 * @param before how many steps are drawn before the transaction, 1 to 3
 * @param after how many after it
 */
export function hopsOf(around: Around, before: number, after: number): Hops {
  const hops: Hops = { stops: new Map(), ways: new Map(), cut: new Set() };
  const centre = stopAt(hops, 0, around.blockchainAlias, around.txHash);
  goBack(hops, centre, around.consumedUtxos, before);
  goOn(hops, centre, around.emittedUtxos, after);
  return hops;
}

function goBack(hops: Hops, to: Stop, { nodes, pageInfo }: Page<Consumed>, steps: number): void {
  if (pageInfo.hasNextPage) hops.cut.add(to.id);
  for (const output of nodes) {
    const from = stopAt(hops, to.step - 1, output.blockchainAlias, output.txHash);
    addWay(hops, from, to, output, from.step);
    const behind = output.creatingTransaction?.consumedUtxos;
    if (behind && steps > 1) goBack(hops, from, behind, steps - 1);
  }
}

function goOn(hops: Hops, from: Stop, { nodes, pageInfo }: Page<Emitted>, steps: number): void {
  if (pageInfo.hasNextPage) hops.cut.add(from.id);
  for (const output of nodes) {
    const { consumingTxHash, consumingTransaction, consumedOnChainId } = output;
    const chain = consumingTransaction?.blockchainAlias ?? consumedOnChainId;
    const end = consumingTxHash ? undefined : output;
    const to = stopAt(hops, from.step + 1, chain, consumingTxHash ?? undefined, end);
    addWay(hops, from, to, output, to.step);
    const behind = consumingTransaction?.emittedUtxos;
    if (behind && steps > 1) goOn(hops, to, behind, steps - 1);
  }
}

function stopAt(
  hops: Hops,
  step: number,
  chain: string,
  hash: string | undefined,
  output?: HopLineFragment,
): Stop {
  const id = `${step} ${hash ?? `unspent ${output?.utxoId}`}`;
  const stop = hops.stops.get(id) ?? { id, step, hash, chain, output };
  hops.stops.set(id, stop);
  return stop;
}

function addWay({ ways }: Hops, from: Stop, to: Stop, output: HopLineFragment, step: number): void {
  ways.set(`${step} ${output.utxoId}`, { source: from.id, target: to.id, value: 0, output, step });
}

/** Size of a box of two lines, and the least room between columns of them, pixels. */
export const BOX = { width: 142, height: 38 };
const GAP = 48;
const ROW = BOX.height + 10;

/**
 * Places the transactions in columns by their distance, and the outputs between them.
 *
 * @param room width that the page has for it, pixels; the picture may need more
 */
export function placed(
  { stops, ways }: Hops,
  room: number,
): { picture: SankeyGraph<Stop, Way>; width: number; height: number } {
  const all = [...ways.values()];
  const share = widthsOf(all.map(({ output }) => output));
  const steps = [...stops.values()].map(({ step }) => step);
  const least = Math.min(...steps);
  const columns = Math.max(...steps) - least + 1;
  const rows = Math.max(...[...Array(columns).keys()].map((column) => countOf(steps, column + least)));
  const height = (rows + 1) * ROW;
  const width = Math.max(room, columns * (BOX.width + GAP) - GAP);
  const layout = sankey<Stop, Way>()
    .nodeId(({ id }) => id)
    .nodeAlign(({ step }) => step - least)
    .nodeWidth(BOX.width)
    // A box is drawn higher than what flows through it.
    .nodePadding(ROW - 4)
    .extent([
      [0, ROW / 2],
      [width, height - ROW / 2],
    ]);
  const picture = layout({
    nodes: [...stops.values()].map((stop) => ({ ...stop })),
    links: all.map((way) => ({ ...way, value: share(way.output) })),
  });
  return { picture, width, height };
}

const countOf = (steps: readonly number[], one: number) => steps.filter((step) => step === one).length;
