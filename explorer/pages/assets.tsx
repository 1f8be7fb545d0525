import { AssetsDocument } from '../generated/others/graphql.js';
import { Badge } from '../components/badge.js';
import { Page } from '../components/page.js';
import { Pager } from '../components/pager.js';
import { Table } from '../components/table.js';
import { Age, Id, Name } from '../components/text.js';
import { usePages } from '../paging.js';
import { assetPath, directories, networkOf } from '../paths.js';

/** The assets of a network. */
export function AssetsPage({ network: name }: { network?: string }) {
  const network = networkOf(name);
  return (
    <Page
      title={`${directories.assets} of ${network}`}
      missing={`Nothing of ${network} is indexed.`}
      document={AssetsDocument}
      variables={{ network, ...usePages('assets') }}
      find={({ assets }) => assets}
    >
      {({ nodes, pageInfo }) => (
        <>
          <Table
            label="Assets"
            none="No asset is indexed here."
            rows={nodes}
            keyOf={({ assetId }) => assetId}
            columns={[
              {
                title: 'Asset',
                cell: ({ assetId, name, symbol }) => (
                  <a href={assetPath(network, assetId)}>
                    <Name text={name || symbol || assetId} />
                  </a>
                ),
              },
              {
                title: 'Symbol',
                cell: ({ symbol }) => (symbol ? <Name text={symbol} /> : <span class="unknown">–</span>),
              },
              {
                title: 'Kind',
                cell: ({ type, cap }) => (
                  <>
                    <Badge>{type === 'nft' ? 'not fungible' : 'fungible'}</Badge>{' '}
                    {cap === 'variable' && <Badge tone="is-waiting">can be minted</Badge>}
                  </>
                ),
              },
              { title: 'Decimals', isFigure: true, cell: ({ denomination }) => denomination },
              {
                title: 'Created',
                cell: ({ creatingTransaction }) =>
                  creatingTransaction ? (
                    <Age seconds={creatingTransaction.blockTimestamp} />
                  ) : (
                    <span class="unknown">–</span>
                  ),
              },
              { title: 'Id', cell: ({ assetId }) => <Id id={assetId} href={assetPath(network, assetId)} /> },
            ]}
          />
          <Pager list="assets" title="Assets" ends={pageInfo} />
        </>
      )}
    </Page>
  );
}
