import { sankeyLinkHorizontal, type SankeyNode } from 'd3-sankey';
import { Amount, decimalOf } from '../components/amount.js';
import { Table } from '../components/table.js';
import { Id, plain } from '../components/text.js';
import { transactionPath } from '../paths.js';
import { hopsOf, placed, type Around, type Hops, type Stop, type Way } from './hops.js';

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
  if (hops.ways.size === 0) return <p>None of its outputs is indexed, so there is nothing to draw.</p>;
  const { picture, width, height } = placed(hops);
  const line = sankeyLinkHorizontal<Stop, Way>();
  return (
    <figure>
      <div class="wide" tabIndex={0} role="region" aria-label="Picture of the transactions before and after">
        <svg
          class="far"
          viewBox={`0 0 ${width} ${height}`}
          role="group"
          aria-label="Transactions and their outputs"
        >
          {picture.links.map((link) => (
            <path class="flow" d={line(link) ?? ''} stroke-width={Math.max(1, link.width ?? 1)}>
              <title>{amountOf(link)}</title>
            </path>
          ))}
          {picture.nodes.map((stop) => (
            <StopBar key={stop.id} stop={stop} network={network} />
          ))}
        </svg>
      </div>
      <figcaption>{captionOf(hops)}</figcaption>
      <details>
        <summary>The outputs of the picture as a table</summary>
        <Outputs hops={hops} network={network} />
      </details>
    </figure>
  );
}

const amountOf = ({ output: { asset } }: Pick<Way, 'output'>) =>
  `${decimalOf(asset.amount, asset.denomination)} ${plain(asset.symbol || asset.name).slice(0, 40)}`;

function captionOf({ stops, ways, cut }: Hops): string {
  const transactions = [...stops.values()].filter(({ hash }) => hash).length;
  const more = [...cut].length;
  const left =
    more === 0
      ? 'None of their outputs is left out on these sides.'
      : `Of ${more} of them more outputs are left out: 6 of this transaction, 3 of each next to it and 2 of each after that are drawn on a side.`;
  return `${transactions} transactions with ${ways.size} outputs. ${left} Widths are by amount within each asset.`;
}

/** The letter of a chain: the first one of its alias. Chains that only an id names have none. */
const letterOf = (chain: string) => /^([pxc])-chain$/.exec(chain)?.[1]?.toUpperCase() ?? '';

function StopBar({ stop, network }: { stop: SankeyNode<Stop, Way>; network: string }) {
  const { x0 = 0, x1 = 0, y0 = 0, y1 = 0, hash, chain, step } = stop;
  const bar = (
    <rect class={step === 0 ? 'here' : 'bar'} x={x0} y={y0} width={x1 - x0} height={Math.max(1, y1 - y0)} />
  );
  const text = (
    <text x={x1 + 4} y={(y0 + y1) / 2} dominant-baseline="middle">
      {hash ? `${letterOf(chain)} ${hash.slice(0, 8)}…` : 'unspent'}
    </text>
  );
  if (!hash || step === 0)
    return (
      <g>
        {bar}
        {text}
      </g>
    );
  return (
    <a href={transactionPath(network, chain, hash)} aria-label={`Transaction ${hash} of the ${chain}`}>
      {bar}
      {text}
    </a>
  );
}

function Outputs({ hops: { ways, stops }, network }: { hops: Hops; network: string }) {
  const end = (id: string) => {
    const stop = stops.get(id);
    if (!stop?.hash) return 'unspent';
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
          cell: ([, { output }]) => <Amount amount={output.asset.amount} asset={output.asset} />,
        },
        { title: 'Created by', cell: ([, { source }]) => end(source) },
        { title: 'Spent by', cell: ([, { target }]) => end(target) },
      ]}
    />
  );
}
