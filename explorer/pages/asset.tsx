import { CalendarClock, Coins, Hash, Layers } from 'lucide';
import { useRoute } from 'preact-iso/router';
import { AssetDocument, type AssetQuery } from '../generated/others/graphql.js';
import { Amount } from '../components/amount.js';
import { Badge } from '../components/badge.js';
import { Figures } from '../components/facts.js';
import { Filters } from '../components/filters.js';
import { TransactionTable } from '../components/lists.js';
import { Page } from '../components/page.js';
import { Pager } from '../components/pager.js';
import { Table } from '../components/table.js';
import { Tabs, useTab } from '../components/tabs.js';
import { Age, Id, Name } from '../components/text.js';
import { useChosen, type Filter } from '../filters.js';
import { usePages } from '../paging.js';
import { addressPath, assetPath, networkOf, restList, transactionPath } from '../paths.js';

const tabs = [
  { key: 'holders', title: 'Holders' },
  { key: 'transactions', title: 'Transactions on the X-chain' },
];

const filters = [
  {
    name: 'chain',
    title: 'Holders on the',
    options: { 'x-chain': 'X-chain', 'p-chain': 'P-chain', 'c-chain': 'C-chain' },
  },
] as const satisfies readonly Filter[];

/** An asset, and in tabs its holders on one chain and the transactions that moved it. */
export function AssetPage({ network: name, asset = '' }: { network?: string; asset?: string }) {
  const network = networkOf(name);
  const { chain } = useChosen(filters);
  const tab = useTab(tabs);
  const variables = {
    network,
    asset,
    chain,
    ...usePages('holders', 'transactions'),
    holders: tab === 'holders',
    transactions: tab === 'transactions',
  };
  return (
    <Page
      title="Asset"
      id={asset}
      document={AssetDocument}
      variables={variables}
      find={(data) => data.asset && { ...data, asset: data.asset }}
      heading={({ asset: found }) => <Name text={found.name || found.symbol || 'An asset without a name'} />}
      addressOf={({ asset: found }) => assetPath(network, found.assetId)}
      missing={`This asset is not indexed on ${network}.`}
    >
      {({ asset: found, assetTransactions }) => (
        <>
          <Key of={found} network={network} />
          <Tabs label="Parts of this page" tabs={tabs} />
          {found.holders && <Holders of={found} holders={found.holders} network={network} />}
          {assetTransactions && (
            <>
              <TransactionTable
                rows={assetTransactions.nodes}
                label="Transactions of the asset"
                without={['Chain']}
              />
              <Pager
                list="transactions"
                title="Transactions"
                ends={assetTransactions.pageInfo}
                csv={transactionsOf(network, found.assetId)}
              />
            </>
          )}
        </>
      )}
    </Page>
  );
}

/** Its transactions on the X-chain in the REST API. */
const transactionsOf = (network: string, asset: string) =>
  restList(['networks', network, 'blockchains', 'x-chain', 'assets', asset, 'transactions']);

type Found = NonNullable<AssetQuery['asset']>;

const Key = ({ of, network }: { of: Found; network: string }) => (
  <Figures
    figures={[
      { title: 'Symbol', icon: Coins, value: <Name text={of.symbol || 'none'} /> },
      {
        title: 'Kind',
        icon: Layers,
        value: of.type === 'nft' ? 'not fungible' : 'fungible',
        note:
          of.cap === 'variable' ? (
            <Badge tone="is-waiting">more can be minted</Badge>
          ) : (
            <Badge>no more can be minted</Badge>
          ),
      },
      { title: 'Decimals', icon: Hash, value: of.denomination },
      ...(of.creatingTransaction
        ? [
            {
              title: 'Created',
              icon: CalendarClock,
              value: <Age seconds={of.creatingTransaction.blockTimestamp} />,
              note: (
                <Id
                  id={of.creatingTransaction.txHash}
                  href={transactionPath(
                    network,
                    of.creatingTransaction.blockchainAlias,
                    of.creatingTransaction.txHash,
                  )}
                />
              ),
            },
          ]
        : []),
    ]}
  />
);

function Holders({
  of,
  holders: { nodes, pageInfo },
  network,
}: {
  of: Found;
  holders: NonNullable<Found['holders']>;
  network: string;
}) {
  const { query } = useRoute();
  const isFirst = !query['holdersAfter'] && !query['holdersBefore'];
  return (
    <>
      <Filters label="Where the holders are" filters={filters} />
      <Table
        label="Holders"
        none="No holder is indexed on this chain."
        rows={nodes.map((holder, index) => ({ ...holder, rank: index + 1 }))}
        keyOf={({ address: { address } }) => address}
        columns={[
          ...(isFirst ? [{ title: 'Rank', isFigure: true, cell: ({ rank }: { rank: number }) => rank }] : []),
          {
            title: 'Address',
            cell: ({ address: { address } }) => <Id id={address} href={addressPath(network, address)} />,
          },
          { title: 'Holds', isFigure: true, cell: ({ unspent }) => <Amount amount={unspent} asset={of} /> },
        ]}
      />
      <Pager list="holders" title="Holders" ends={pageInfo} />
    </>
  );
}
