import { VertexDocument, type VertexQuery } from '../generated/others/graphql.js';
import { Part } from '../components/answer.js';
import { Facts } from '../components/facts.js';
import { TransactionTable } from '../components/lists.js';
import { Page } from '../components/page.js';
import { Pager } from '../components/pager.js';
import { grouped, Id, Time } from '../components/text.js';
import { usePages } from '../paging.js';
import { networkOf, vertexPath } from '../paths.js';

/** A vertex of the X-chain, its neighbours and its transactions. */
export function VertexPage({ network: name, vertex = '' }: { network?: string; vertex?: string }) {
  const network = networkOf(name);
  return (
    <Page
      title="Vertex of the X-chain"
      id={vertex}
      document={VertexDocument}
      variables={{ network, vertex, ...usePages('transactions') }}
      find={(data) => data.vertex}
      addressOf={(found) => vertexPath(network, found.vertexHash)}
      missing={`This vertex is not indexed on ${network}.`}
    >
      {(found) => <Found found={found} network={network} />}
    </Page>
  );
}

function Found({ found, network }: { found: NonNullable<VertexQuery['vertex']>; network: string }) {
  const { parentHashes, parents, children, transactions } = found;
  const indexed = new Set(parents.nodes.map(({ vertexHash }) => vertexHash));
  const linked = (hash: string, isIndexed = true) => (
    <div key={hash}>
      <Id id={hash} href={isIndexed ? vertexPath(network, hash) : undefined} />
      {!isIndexed && ' not indexed'}
    </div>
  );
  return (
    <>
      <Facts
        facts={[
          ['Height', grouped(found.vertexHeight)],
          ['Index', grouped(found.vertexIndex)],
          ['Time', <Time seconds={found.vertexTimestamp} withUtc />],
          ['Size', `${grouped(found.vertexSizeBytes)} bytes`],
          ['Transactions', grouped(found.txCount)],
          [
            'Builds on',
            parentHashes.length === 0
              ? 'nothing'
              : parentHashes.map((hash) => linked(hash, indexed.has(hash))),
          ],
          [
            'On it builds',
            children.nodes.length === 0 ? (
              'no indexed vertex'
            ) : (
              <>
                {children.nodes.map(({ vertexHash }) => linked(vertexHash))}
                {children.pageInfo.hasNextPage && 'and more'}
              </>
            ),
          ],
        ]}
      />
      <Part title="Transactions">
        <TransactionTable
          rows={transactions.nodes}
          label="Transactions of the vertex"
          without={['Time', 'Chain', 'Block']}
        />
        <Pager list="transactions" title="Transactions" ends={transactions.pageInfo} />
      </Part>
    </>
  );
}
