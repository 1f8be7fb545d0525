import { sankeyLinkHorizontal, type SankeyNode } from 'd3-sankey';
import type { OutputLineFragment } from '../generated/graphql.js';
import { decimalOf } from '../components/amount.js';
import { plain } from '../components/text.js';
import { transactionPath } from '../paths.js';
import { pictureOf, WIDTH, type Bar } from './layout.js';

/** What a transaction consumed or emitted, as far as it was asked. */
export interface Side {
  totalCount: number;
  nodes: OutputLineFragment[];
}

/**
 * The picture of a transaction: what it consumed on the left, what it emitted on the right. Each output is a
 * link to the transaction that made or spent it. It draws the outputs that were asked for, and says how many
 * it leaves out.
 */
export function Flow({ network, consumed, emitted }: { network: string; consumed: Side; emitted: Side }) {
  if (consumed.nodes.length + emitted.nodes.length === 0)
    return <p>None of its outputs is indexed, so there is nothing to draw.</p>;
  const { picture, height } = pictureOf(consumed.nodes, emitted.nodes);
  const line = sankeyLinkHorizontal<Bar, object>();
  return (
    <figure>
      <div class="wide" tabIndex={0} role="region" aria-label="Picture of the transaction">
        <svg viewBox={`0 0 ${WIDTH} ${height}`} role="group" aria-label="Outputs consumed and emitted">
          {picture.links.map((link) => (
            <path class="flow" d={line(link) ?? ''} stroke-width={Math.max(1, link.width ?? 1)} />
          ))}
          {picture.nodes.map((bar) => (
            <OutputBar key={bar.id} bar={bar} network={network} />
          ))}
        </svg>
      </div>
      <figcaption>
        {captionOf('consumed', 'left', consumed)} {captionOf('emitted', 'right', emitted)} Widths are by
        amount within each asset. The tables below have the same numbers.
      </figcaption>
    </figure>
  );
}

function captionOf(verb: string, side: string, { nodes, totalCount }: Side): string {
  const left = Math.max(0, totalCount - nodes.length);
  const rest = left > 0 ? `; ${left.toLocaleString()} more are left out` : '';
  return `On the ${side}: ${nodes.length} ${nodes.length === 1 ? 'output' : 'outputs'} ${verb}${rest}.`;
}

function OutputBar({ bar, network }: { bar: SankeyNode<Bar, object>; network: string }) {
  const { x0 = 0, x1 = 0, y0 = 0, y1 = 0, output, id } = bar;
  const rect = <rect class="bar" x={x0} y={y0} width={x1 - x0} height={Math.max(1, y1 - y0)} />;
  if (!output) return rect;
  const isConsumed = id.startsWith('in ');
  const { asset, createdOnChainId, consumedOnChainId, txHash, consumingTxHash } = output;
  const text = (
    <text
      x={isConsumed ? x1 + 6 : x0 - 6}
      y={(y0 + y1) / 2}
      text-anchor={isConsumed ? 'start' : 'end'}
      dominant-baseline="middle"
    >
      {decimalOf(asset.amount, asset.denomination)} {plain(asset.symbol || asset.name).slice(0, 12)}
      {!isConsumed && !consumingTxHash ? ' (unspent)' : ''}
    </text>
  );
  const [chain, hash] = isConsumed ? [createdOnChainId, txHash] : [consumedOnChainId, consumingTxHash];
  if (!hash)
    return (
      <g>
        {rect}
        {text}
      </g>
    );
  const label = `${isConsumed ? 'Created by' : 'Spent by'} ${hash}`;
  return (
    <a href={transactionPath(network, chain, hash)} aria-label={label}>
      {rect}
      {text}
    </a>
  );
}
