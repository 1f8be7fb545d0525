import type { SankeyNode } from 'd3-sankey';
import { useRef } from 'preact/hooks';
import type { OutputLineFragment } from '../generated/graphql.js';
import { amountText, decimalOf } from '../components/amount.js';
import { letterOf, states, toneOf } from '../components/badge.js';
import { stateOf } from '../components/output-state.js';
import { plain } from '../components/text.js';
import type { AliasOf } from '../chains.js';
import { isGenesis, transactionPath } from '../paths.js';
import { Flows } from './flows.js';
import { pictureOf, ROW_HEIGHT, type Bar, type Flowing } from './layout.js';
import { useWidth } from './use-width.js';

/** What a transaction consumed or emitted, as far as it was asked. */
export interface Side {
  totalCount: number;
  nodes: OutputLineFragment[];
}

interface FlowProps {
  network: string;
  aliasOf: AliasOf;
  consumed: Side;
  emitted: Side;
}

/**
 * The picture of a transaction: what it consumed on the left, what it emitted on the right. Each output is a
 * link to the transaction that made or spent it. It draws the outputs that were asked for, and says how many
 * it leaves out.
 */
export function Flow({ network, aliasOf, consumed, emitted }: FlowProps) {
  const room = useRef<HTMLDivElement>(null);
  const width = useWidth(room);
  if (consumed.nodes.length + emitted.nodes.length === 0)
    return <p class="empty">None of its outputs is indexed, so there is nothing to draw.</p>;
  return (
    <figure>
      <div ref={room}>
        {width > 0 && (
          <Drawing network={network} aliasOf={aliasOf} consumed={consumed} emitted={emitted} width={width} />
        )}
      </div>
      <figcaption>
        {captionOf('consumed', 'left', consumed)} {captionOf('emitted', 'right', emitted)} Widths are by
        amount within each asset. The tables below have the same numbers.
      </figcaption>
    </figure>
  );
}

function Drawing({ network, aliasOf, consumed, emitted, width }: FlowProps & { width: number }) {
  const { picture, height } = pictureOf(consumed.nodes, emitted.nodes, width);
  return (
    <Flows
      label="Outputs consumed and emitted"
      width={width}
      height={height}
      links={picture.links}
      toneOf={(link) => toneOf(aliasOf(chainOf(link.output, link.target)))}
    >
      {picture.nodes.map((bar) => (
        <OutputBar key={bar.id} bar={bar} network={network} aliasOf={aliasOf} width={width} />
      ))}
    </Flows>
  );
}

/** Where an output comes from, or where it can be spent. */
const chainOf = (output: OutputLineFragment, target: unknown) =>
  (target as Bar).output ? output.consumedOnChainId : output.createdOnChainId;

function captionOf(verb: string, side: string, { nodes, totalCount }: Side): string {
  const left = Math.max(0, totalCount - nodes.length);
  const rest = left > 0 ? `; ${left.toLocaleString('en')} more are left out` : '';
  return `On the ${side}: ${nodes.length} ${nodes.length === 1 ? 'output' : 'outputs'} ${verb}${rest}.`;
}

/** About how many pixels a character has. */
const CHARACTER = 7;

function OutputBar({
  bar,
  network,
  aliasOf,
  width,
}: Omit<FlowProps, 'consumed' | 'emitted'> & { bar: SankeyNode<Bar, Flowing>; width: number }) {
  const { x0 = 0, x1 = 0, y0 = 0, y1 = 0, output, id } = bar;
  const height = Math.max(2, y1 - y0);
  if (!output)
    return <rect class="here" x={x0} y={y0} width={x1 - x0} height={Math.max(height, ROW_HEIGHT / 2)} />;
  const isConsumed = id.startsWith('in ');
  const { asset, createdOnChainId, consumedOnChainId, txHash, consumingTxHash } = output;
  const chain = aliasOf(isConsumed ? createdOnChainId : consumedOnChainId);
  const creator = isGenesis(txHash) ? null : txHash;
  const hash = isConsumed ? creator : consumingTxHash;
  const side = {
    x: isConsumed ? x0 - 6 : x1 + 6,
    'text-anchor': isConsumed ? ('end' as const) : ('start' as const),
  };
  const amount = `${amountText(asset.amount, asset)} ${plain(asset.symbol || asset.name)}`;
  const drawn = (
    <>
      <rect class={`bar ${toneOf(chain)}`} x={x0} y={y0} width={x1 - x0} height={height} />
      <text {...side} y={(y0 + y1) / 2 - 2}>
        {amount.slice(0, Math.min(24, ((isConsumed ? x0 : width - x1) - 6) / CHARACTER))}
        <title>{decimalOf(asset.amount, asset.denomination)}</title>
      </text>
      <text {...side} y={(y0 + y1) / 2 + 12} class="soft">
        {hash
          ? `${letterOf(chain)} ${hash.slice(0, 8)}…`
          : isConsumed
            ? 'genesis'
            : states[stateOf(output)].word}
      </text>
    </>
  );
  if (!hash) return <g>{drawn}</g>;
  const label = `${amount}, ${isConsumed ? 'created by' : 'spent by'} ${hash}`;
  return (
    <a href={transactionPath(network, chain, hash)} aria-label={label}>
      {drawn}
    </a>
  );
}
