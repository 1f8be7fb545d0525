import { ChevronLeft, ChevronRight } from 'lucide';
import { chainName } from '../chains.js';
import { BlockDocument, type BlockQuery } from '../generated/things/graphql.js';
import { Part } from '../components/answer.js';
import { ChainBadge } from '../components/badge.js';
import { BlockKind } from '../components/block-kind.js';
import { Facts } from '../components/facts.js';
import { Icon } from '../components/icon.js';
import { Shown, TransactionTable } from '../components/lists.js';
import { Page } from '../components/page.js';
import { Pager } from '../components/pager.js';
import { grouped, Id, Time } from '../components/text.js';
import { usePages } from '../paging.js';
import { blockPath, blocksPath, networkOf, validatorPath } from '../paths.js';

interface PageParams {
  network?: string;
  chain?: string;
  number?: string;
}

/** A block, its neighbours and its transactions. */
export function BlockPage({ network: name, chain = '', number = '' }: PageParams) {
  const network = networkOf(name);
  const variables = { network, chain, number, ...usePages('transactions') };
  return (
    <Page
      title={`Block of the ${chainName(chain)}`}
      document={BlockDocument}
      variables={variables}
      find={({ block }) => block}
      heading={(block) => `Block ${grouped(block.number)}`}
      addressOf={(found) => blockPath(network, found.blockchainAlias, found.number)}
      missing={`This block is not indexed on ${network}.`}
    >
      {(block) => <Found block={block} network={network} />}
    </Page>
  );
}

function Found({ block, network }: { block: NonNullable<BlockQuery['block']>; network: string }) {
  const { blockchainAlias: chain, transactions } = block;
  return (
    <>
      <Neighbours of={block} network={network} />
      <Facts
        facts={[
          [
            'Chain',
            <a href={blocksPath(network, chain)}>
              <ChainBadge chain={chain} isNamed />
            </a>,
          ],
          ['Time', <Time seconds={block.timestamp} withUtc />],
          ['Kind', block.blockType ? <BlockKind type={block.blockType} /> : undefined],
          ['Transactions', block.txCount === null ? null : grouped(block.txCount)],
          // Of blocks of the C-chain it is never indexed.
          ['Size', block.sizeBytes === null ? undefined : `${grouped(block.sizeBytes)} bytes`],
          ['Hash', block.hash && <Id id={block.hash} />],
          ['Parent', block.parentHash && <Id id={block.parentHash} />],
          [
            'Proposer',
            block.proposerNodeId ? (
              <Id id={block.proposerNodeId} href={validatorPath(network, block.proposerNodeId)} />
            ) : undefined,
          ],
        ]}
      />
      <Part title="Transactions">
        <Shown
          shown={transactions.nodes.length}
          total={transactions.totalCount}
          isExact={transactions.totalCountIsExact}
        />
        <TransactionTable
          rows={transactions.nodes}
          label="Transactions of the block"
          without={['Chain', 'Block', 'Time']}
        />
        <Pager list="transactions" title="Transactions" ends={transactions.pageInfo} />
      </Part>
    </>
  );
}

/** The blocks before and after it, as far as they are indexed. */
function Neighbours({ of, network }: { of: NonNullable<BlockQuery['block']>; network: string }) {
  const { previous, next, blockchainAlias: chain } = of;
  return (
    <nav class="pager" aria-label="Neighbours">
      {previous && (
        <a href={blockPath(network, chain, previous.number)}>
          <Icon of={ChevronLeft} /> Previous: {grouped(previous.number)}
        </a>
      )}
      {next && (
        <a href={blockPath(network, chain, next.number)}>
          Next: {grouped(next.number)} <Icon of={ChevronRight} />
        </a>
      )}
      <a href={blocksPath(network, chain)}>Newest blocks of the {chainName(chain)}</a>
    </nav>
  );
}
