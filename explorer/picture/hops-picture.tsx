import type { SankeyNode } from 'd3-sankey';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Amount, amountText, decimalOf } from '../components/amount.js';
import { letterOf, states, toneOf } from '../components/badge.js';
import { stateOf } from '../components/output-state.js';
import { Table } from '../components/table.js';
import { Id, plain } from '../components/text.js';
import { isGenesis, transactionPath } from '../paths.js';
import { Flows } from './flows.js';
import { BOX, hopsOf, placed, type Around, type Hops, type Stop, type Way } from './hops.js';
import { useWidth } from './use-width.js';

/**
 * The outputs of several steps before and after a transaction, over the borders of chains; each transaction
 * is a link.
 */
export function HopsPicture({
  network,
  around,
  before,
  after,
}: {
  network: string;
  around: Around;
  before: number;
  after: number;
}) {
  const hops = hopsOf(around, before, after);
  const room = useRef<HTMLDivElement>(null);
  const width = useWidth(room);
  useLayoutEffect(() => showHere(room.current), [width]);
  if (hops.ways.size === 0)
    return <p class="empty">None of its outputs is indexed, so there is nothing to draw.</p>;
  return (
    <figure>
      <div
        ref={room}
        class="wide"
        tabIndex={0}
        role="region"
        aria-label="Picture of the transactions before and after"
      >
        {width > 0 && <Drawing hops={hops} network={network} room={width} />}
      </div>
      <figcaption>{captionOf(hops)}</figcaption>
      <details>
        <summary>The outputs of the picture as a table</summary>
        <Outputs hops={hops} network={network} />
      </details>
    </figure>
  );
}

/** Where a picture is wider than the page, it begins with what the page is of. */
function showHere(room: HTMLElement | null): void {
  const here = room?.querySelector('.here')?.getBoundingClientRect();
  if (!room || !here) return;
  const { left, width } = room.getBoundingClientRect();
  room.scrollLeft += here.left - left - (width - here.width) / 2;
}

function Drawing({ hops, network, room }: { hops: Hops; network: string; room: number }) {
  const { picture, width, height } = placed(hops, room);
  return (
    <Flows
      label="Transactions and their outputs"
      width={width}
      height={height}
      links={picture.links}
      toneOf={(link) => toneOf((link.source as Stop).chain)}
      titleOf={amountOf}
    >
      {picture.nodes.map((stop) => (
        <StopBox key={stop.id} stop={stop} network={network} />
      ))}
    </Flows>
  );
}

const amountOf = ({ output: { asset } }: Pick<Way, 'output'>) =>
  `${decimalOf(asset.amount, asset.denomination)} ${plain(asset.symbol || asset.name).slice(0, 40)}`;

const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`;

function captionOf({ stops, ways, cut }: Hops): string {
  const transactions = [...stops.values()].filter(({ hash }) => hash).length;
  const more = [...cut].length;
  const left =
    more === 0
      ? 'None of their outputs is left out on these sides.'
      : `Of ${more} of them more outputs are left out: 6 of this transaction, 3 of each next to it and 2 of each after that are drawn on a side.`;
  return `${counted(transactions, 'transaction')} with ${counted(ways.size, 'output')}. ${left} Widths are by amount within each asset.`;
}

/** What flows through a transaction on its side away from that of the page; of several assets the first. */
function amountIn({ step, sourceLinks = [], targetLinks = [] }: SankeyNode<Stop, Way>): string {
  const ways = step < 0 || targetLinks.length === 0 ? sourceLinks : targetLinks;
  const asset = ways[0]?.output.asset;
  if (!asset) return '';
  const same = ways.filter(({ output }) => output.asset.assetId === asset.assetId);
  const sum = same.reduce((total, { output }) => total + BigInt(output.asset.amount), 0n);
  const more = same.length < ways.length ? ', …' : '';
  return `${amountText(String(sum), asset)} ${plain(asset.symbol || asset.name).slice(0, 8)}${more}`;
}

function wordOf({ hash, chain, output }: Stop): string {
  if (output) return states[stateOf(output)].word;
  return !hash || isGenesis(hash) ? 'genesis' : `${letterOf(chain)} ${hash.slice(0, 8)}…`;
}

function StopBox({ stop, network }: { stop: SankeyNode<Stop, Way>; network: string }) {
  const { x0 = 0, y0 = 0, y1 = 0, hash, chain, step, output } = stop;
  const height = Math.max(BOX.height, y1 - y0);
  const middle = (y0 + y1) / 2;
  const tone = output ? `is-${stateOf(output)}` : toneOf(chain);
  const box = (
    <>
      <rect
        class={`box ${tone}${step === 0 ? ' here' : ''}`}
        x={x0 + 1}
        y={middle - height / 2}
        width={BOX.width - 2}
        height={height}
        rx={6}
      />
      <text x={x0 + 8} y={middle - 3} class="soft">
        {wordOf(stop)}
      </text>
      <text x={x0 + 8} y={middle + 12}>
        {amountIn(stop).slice(0, 18)}
      </text>
    </>
  );
  if (!hash || step === 0 || isGenesis(hash)) return <g>{box}</g>;
  return (
    <a href={transactionPath(network, chain, hash)} aria-label={`Transaction ${hash} of the ${chain}`}>
      {box}
    </a>
  );
}

function Outputs({ hops: { ways, stops }, network }: { hops: Hops; network: string }) {
  const end = (id: string) => {
    const stop = stops.get(id);
    if (!stop?.hash) return 'unspent';
    if (isGenesis(stop.hash)) return 'genesis';
    return <Id id={stop.hash} href={transactionPath(network, stop.chain, stop.hash)} />;
  };
  const rows = [...ways.entries()].toSorted(([, one], [, other]) => one.step - other.step);
  return (
    <Table
      label="Outputs of the picture"
      rows={rows}
      keyOf={([key]) => key}
      columns={[
        { title: 'Steps away', cell: ([, { step }]) => `${Math.abs(step)} ${step < 0 ? 'before' : 'after'}` },
        {
          title: 'Amount',
          isFigure: true,
          cell: ([, { output }]) => <Amount amount={output.asset.amount} asset={output.asset} />,
        },
        { title: 'Created by', cell: ([, { source }]) => end(source) },
        { title: 'Spent by', cell: ([, { target }]) => end(target) },
      ]}
    />
  );
}
