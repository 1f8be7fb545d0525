import { SubnetsDocument } from '../generated/others/graphql.js';
import { Badge } from '../components/badge.js';
import { ChainName } from '../components/chains.js';
import { Page } from '../components/page.js';
import { Pager } from '../components/pager.js';
import { PRIMARY_NETWORK } from '../components/sentence-links.js';
import { Table } from '../components/table.js';
import { Age, grouped, Id } from '../components/text.js';
import { usePages } from '../paging.js';
import { directories, networkOf, restList, subnetPath } from '../paths.js';

/** The subnets of a network, with what each is. */
export function SubnetsPage({ network: name }: { network?: string }) {
  const network = networkOf(name);
  return (
    <Page
      title={`${directories.subnets} of ${network}`}
      missing={`Nothing of ${network} is indexed.`}
      document={SubnetsDocument}
      variables={{ network, ...usePages('subnets') }}
      find={({ subnets }) => subnets}
    >
      {({ nodes, pageInfo }) => (
        <>
          <Table
            label="Subnets"
            none="No subnet is indexed here."
            rows={nodes}
            keyOf={({ subnetId }) => subnetId}
            columns={[
              {
                title: 'Subnet',
                cell: ({ subnetId }) => <Id id={subnetId} href={subnetPath(network, subnetId)} />,
              },
              {
                title: 'Kind',
                cell: ({ subnetId, conversions }) =>
                  subnetId === PRIMARY_NETWORK ? (
                    <Badge tone="of-p-chain">Primary network</Badge>
                  ) : conversions.nodes.length > 0 ? (
                    <Badge tone="of-evm">L1</Badge>
                  ) : (
                    <Badge>Subnet</Badge>
                  ),
              },
              {
                title: 'Blockchains',
                cell: ({ chainCreations: { nodes: created, pageInfo: more } }) => (
                  <span class="wraps">
                    {created.length === 0 && <span class="unknown">none indexed</span>}
                    {created.map((of, index) => (
                      <span key={of.txHash}>
                        <ChainName of={of} network={network} />
                        {index < created.length - 1 && ','}
                      </span>
                    ))}
                    {more.hasNextPage && 'and more'}
                  </span>
                ),
              },
              {
                title: 'Validators now',
                isFigure: true,
                cell: ({ activeValidators }) =>
                  activeValidators === null ? 'not known' : grouped(activeValidators),
              },
              {
                title: 'Created',
                cell: ({ creatingTransaction }) =>
                  creatingTransaction ? (
                    <Age seconds={creatingTransaction.blockTimestamp} />
                  ) : (
                    <span class="unknown">–</span>
                  ),
              },
            ]}
          />
          <Pager
            list="subnets"
            title="Subnets"
            ends={pageInfo}
            csv={restList(['networks', network, 'subnets'])}
          />
        </>
      )}
    </Page>
  );
}
