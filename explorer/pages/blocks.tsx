import { BlocksDocument, type BlocksQuery } from '../generated/others/graphql.js';
import { ChainBadge } from '../components/badge.js';
import { BlockKind } from '../components/block-kind.js';
import { Filters } from '../components/filters.js';
import { Page } from '../components/page.js';
import { Pager } from '../components/pager.js';
import { Table, type Column } from '../components/table.js';
import { Age, grouped, Id } from '../components/text.js';
import { secondsOf, useChosen, written, type Filter } from '../filters.js';
import { usePages } from '../paging.js';
import { blockPath, blocksPath, networkOf, validatorPath, verticesPath } from '../paths.js';

const chains = ['p-chain', 'x-chain', 'c-chain'];

const filters = [
  { name: 'since', title: 'From day, UTC', isDay: true },
  { name: 'until', title: 'Before day, UTC', isDay: true },
  { name: 'proposer', title: 'Proposed by node', check: { title: 'NodeID-…' } },
] as const satisfies readonly Filter[];

/** The blocks of a chain, newest first. */
export function BlocksPage({ network: name, chain = '' }: { network?: string; chain?: string }) {
  const network = networkOf(name);
  const { since, until, proposer } = useChosen(filters);
  const variables = {
    network,
    chain,
    since: secondsOf(since),
    until: secondsOf(until),
    proposer: written(proposer),
    ...usePages('blocks'),
  };
  return (
    <Page
      title={`Blocks of the ${chain} of ${network}`}
      document={BlocksDocument}
      variables={variables}
      find={({ blocks }) => blocks}
      addressOf={({ nodes: [block] }) => block && blocksPath(network, block.blockchainAlias)}
      missing={`No block of this chain is indexed on ${network}.`}
    >
      {(found) => <Found page={found} network={network} chain={chain} />}
    </Page>
  );
}

type BlockPage = NonNullable<BlocksQuery['blocks']>;
type Line = BlockPage['nodes'][number];

function Found({
  page: { nodes, pageInfo },
  network,
  chain,
}: {
  page: BlockPage;
  network: string;
  chain: string;
}) {
  return (
    <>
      <nav class="tabs" aria-label="Chains">
        {chains.map((each) => (
          <a
            key={each}
            href={blocksPath(network, each)}
            aria-current={each === nodes[0]?.blockchainAlias ? 'page' : undefined}
          >
            <ChainBadge chain={each} isNamed />
          </a>
        ))}
      </nav>
      <Filters label="Which blocks are shown" filters={filters} />
      <Table
        label="Blocks"
        none="No indexed block is like this."
        rows={nodes}
        keyOf={({ number }) => number}
        columns={columnsOf(nodes, network, chain)}
      />
      <Pager list="blocks" title="Blocks" ends={pageInfo} />
      {chain === 'x-chain' && (
        <p>
          Before it had blocks the X-chain had <a href={verticesPath(network)}>vertices</a>.
        </p>
      )}
    </>
  );
}

/** Columns that say nothing of these blocks are left out. */
function columnsOf(nodes: readonly Line[], network: string, chain: string): Column<Line>[] {
  const knowsProposers = nodes.some(({ proposerNodeId }) => proposerNodeId);
  const knowsSizes = nodes.some(({ sizeBytes }) => sizeBytes !== null);
  return [
    {
      title: 'Block',
      isFigure: true,
      cell: ({ number }) => <a href={blockPath(network, chain, number)}>{grouped(number)}</a>,
    },
    { title: 'Time', cell: ({ timestamp }) => <Age seconds={timestamp} /> },
    { title: 'Kind', cell: ({ blockType }) => <BlockKind type={blockType} /> },
    {
      title: 'Transactions',
      isFigure: true,
      cell: ({ txCount }) => (txCount === null ? 'not known' : grouped(txCount)),
    },
    ...(knowsSizes
      ? [
          {
            title: 'Size, bytes',
            isFigure: true,
            cell: ({ sizeBytes }: Line) => (sizeBytes === null ? 'not known' : grouped(sizeBytes)),
          },
        ]
      : []),
    ...(knowsProposers
      ? [
          {
            title: 'Proposer',
            cell: ({ proposerNodeId: node }: Line) =>
              node ? <Id id={node} href={validatorPath(network, node)} /> : <span class="unknown">–</span>,
          },
        ]
      : []),
    {
      title: 'Hash',
      cell: ({ hash }) => (hash ? <Id id={hash} /> : <span class="unknown">–</span>),
    },
  ];
}
