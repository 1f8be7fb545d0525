import {
  AssetsDocument,
  EvmChainsDocument,
  L1ValidatorsDocument,
  MessagesDocument,
  SubnetsDocument,
  ValidatorsDocument,
} from '../generated/graphql.js';
import { ChainTable, Messages } from '../components/evm.js';
import { Page } from '../components/page.js';
import { Pager } from '../components/pager.js';
import { L1Validators, ValidatorTable } from '../components/stakers.js';
import { Table } from '../components/table.js';
import { Id, Name } from '../components/text.js';
import { usePages } from '../paging.js';
import { assetPath, directories, networkOf, restList, subnetPath } from '../paths.js';

interface PageParams {
  network?: string;
}

/** What every page of all things of a kind has. */
const directory = (kind: keyof typeof directories, network: string) => ({
  title: `${directories[kind]} of ${network}`,
  missing: `Nothing of ${network} is indexed.`,
});

export function ValidatorsPage({ network: name }: PageParams) {
  const network = networkOf(name);
  return (
    <Page
      {...directory('validators', network)}
      document={ValidatorsDocument}
      variables={{ network, ...usePages('validators') }}
      find={({ validators }) => validators}
    >
      {({ nodes, pageInfo }) => (
        <>
          <ValidatorTable rows={nodes} network={network} isAvax />
          <Pager list="validators" title="Validators" ends={pageInfo} />
        </>
      )}
    </Page>
  );
}

export function SubnetsPage({ network: name }: PageParams) {
  const network = networkOf(name);
  return (
    <Page
      {...directory('subnets', network)}
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
              { title: 'Validators now', cell: ({ activeValidators }) => activeValidators ?? 'not known' },
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

export function L1ValidatorsPage({ network: name }: PageParams) {
  const network = networkOf(name);
  return (
    <Page
      {...directory('l1-validators', network)}
      document={L1ValidatorsDocument}
      variables={{ network, ...usePages('l1') }}
      find={({ l1Validators }) => l1Validators}
    >
      {(page) => <L1Validators list="l1" page={page} network={network} />}
    </Page>
  );
}

export function AssetsPage({ network: name }: PageParams) {
  const network = networkOf(name);
  return (
    <Page
      {...directory('assets', network)}
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
                cell: ({ assetId }) => <Id id={assetId} href={assetPath(network, assetId)} />,
              },
              { title: 'Symbol', cell: ({ symbol }) => (symbol ? <Name text={symbol} /> : 'not known') },
              { title: 'Name', cell: ({ name }) => (name ? <Name text={name} /> : 'not known') },
              { title: 'Type', cell: ({ type }) => type },
              { title: 'Decimals', cell: ({ denomination }) => denomination },
            ]}
          />
          <Pager list="assets" title="Assets" ends={pageInfo} />
        </>
      )}
    </Page>
  );
}

export function MessagesPage({ network: name }: PageParams) {
  const network = networkOf(name);
  return (
    <Page
      {...directory('messages', network)}
      document={MessagesDocument}
      variables={{ network, ...usePages('messages') }}
      find={({ icmMessages }) => icmMessages}
    >
      {(page) => <Messages page={page} network={network} csv={restList(['icm', 'messages'], { network })} />}
    </Page>
  );
}

export function EvmChainsPage({ network: name }: PageParams) {
  const network = networkOf(name);
  return (
    <Page
      {...directory('evm', network)}
      document={EvmChainsDocument}
      variables={{ network, ...usePages('chains') }}
      find={({ chains }) => chains}
    >
      {({ nodes, pageInfo }) => (
        <>
          <ChainTable rows={nodes} network={network} />
          <Pager list="chains" title="EVM chains" ends={pageInfo} csv={restList(['chains'], { network })} />
        </>
      )}
    </Page>
  );
}
