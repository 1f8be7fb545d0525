import { BlockDocument, type BlockQuery } from '../generated/graphql.js';
import { Part } from '../components/answer.js';
import { Facts } from '../components/facts.js';
import { Shown, TransactionTable } from '../components/lists.js';
import { Page } from '../components/page.js';
import { Pager } from '../components/pager.js';
import { Id, Time } from '../components/text.js';
import { usePages } from '../paging.js';
import { blockPath, networkOf, validatorPath } from '../paths.js';

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
      title={`Block ${number} of ${chain}`}
      document={BlockDocument}
      variables={variables}
      find={({ block }) => block}
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
      <Facts
        facts={[
          ['Hash', block.hash && <Id id={block.hash} />],
          ['Parent', block.parentHash && <Id id={block.parentHash} />],
          ['Type', block.blockType],
          ['Time', <Time seconds={block.timestamp} withUtc />],
          ['Size', block.sizeBytes === null ? null : `${block.sizeBytes.toLocaleString('en')} bytes`],
          ['Transactions', block.txCount?.toLocaleString('en')],
          [
            'Proposer',
            block.proposerNodeId && (
              <Id id={block.proposerNodeId} href={validatorPath(network, block.proposerNodeId)} />
            ),
          ],
          [
            'Neighbours',
            <>
              {block.previous && <a href={blockPath(network, chain, block.previous.number)}>Previous</a>}{' '}
              {block.next && <a href={blockPath(network, chain, block.next.number)}>Next</a>}
            </>,
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
