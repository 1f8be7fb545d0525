import { chainName } from '../chains.js';
import { BlocksDocument, type BlocksQuery } from '../generated/others/graphql.js';
import { BlockKind } from '../components/block-kind.js';
import { ChainTabs } from '../components/chain-tabs.js';
import { Filters } from '../components/filters.js';
import { Page } from '../components/page.js';
import { Pager } from '../components/pager.js';
import { Table, type Column } from '../components/table.js';
import { Age, grouped, Id } from '../components/text.js';
import { dayFilters, timesOf, useChosen, written, type Filter } from '../filters.js';
import { usePages } from '../paging.js';
import { blockPath, blocksPath, networkOf, restList, validatorPath, verticesPath } from '../paths.js';

const filters = [
  ...dayFilters,
  { name: 'proposer', title: 'Proposed by node', check: { title: 'NodeID-…' } },
] as const satisfies readonly Filter[];

/** The blocks of a chain, newest first. */
export function BlocksPage({ network: name, chain = '' }: { network?: string; chain?: string }) {
  const network = networkOf(name);
  const { since, until, proposer } = useChosen(filters);
  const times = timesOf(since, until);
  const variables = {
    network,
    chain,
    ...times.graph,
    proposer: written(proposer),
    ...usePages('blocks'),
  };
  const list = ['networks', network, 'blockchains', chain];
  return (
    <Page
      title={`Blocks of the ${chainName(chain)} of ${network}`}
      document={BlocksDocument}
      variables={variables}
      find={({ blocks }) => blocks}
      addressOf={({ nodes: [block] }) => block && blocksPath(network, block.blockchainAlias)}
      missing={`No block of this chain is indexed on ${network}.`}
    >
      {(found) => (
        <Found
          page={found}
          network={network}
          chain={chain}
          csv={restList([...list, ...(proposer ? ['nodes', proposer] : []), 'blocks'], times.rest)}
        />
      )}
    </Page>
  );
}

type BlockPage = NonNullable<BlocksQuery['blocks']>;
type Line = BlockPage['nodes'][number];

function Found({
  page: { nodes, pageInfo },
  network,
  chain,
  csv,
}: {
  page: BlockPage;
  network: string;
  chain: string;
  csv: string;
}) {
  return (
    <>
      <ChainTabs shown={nodes[0]?.blockchainAlias ?? chain} pathOf={(each) => blocksPath(network, each)} />
      <Filters label="Which blocks are shown" filters={filters} />
      <Table
        label="Blocks"
        none="No indexed block is like this."
        rows={nodes}
        keyOf={({ number }) => number}
        columns={columnsOf(nodes, network, chain)}
      />
      <Pager list="blocks" title="Blocks" ends={pageInfo} csv={csv} />
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
            isDouble: true,
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
