import { Chart } from '../charts/chart.js';
import { AddressDocument, AddressTimesDocument, type AddressQuery } from '../generated/graphql.js';
import { Also } from '../components/also.js';
import { Amount, AVAX } from '../components/amount.js';
import { Part } from '../components/answer.js';
import { OutputTable, Shown, TransactionTable } from '../components/lists.js';
import { Page } from '../components/page.js';
import { Pager } from '../components/pager.js';
import { UnlockTable } from '../components/unlock-table.js';
import { Balances } from '../components/balances.js';
import { usePages } from '../paging.js';
import { networkOf, type NetworkName } from '../paths.js';

const chains = [
  ['p', 'P-chain'],
  ['x', 'X-chain'],
  ['c', 'C-chain'],
] as const;

/** An address: its balances, when they can be spent, its outputs, and its transactions. */
export function AddressPage({ network: name, address = '' }: { network?: string; address?: string }) {
  const network = networkOf(name);
  const variables = { network, address, ...usePages('balances', 'transactions', 'p', 'x', 'c') };
  return (
    <Page
      title="Address"
      id={address}
      document={AddressDocument}
      variables={variables}
      find={(data) => data.address}
      missing={`Nothing of this address is indexed on ${network}.`}
    >
      {(found) => (
        <>
          <Part title="Balances">
            <Balances balances={found.balances.nodes} network={network} />
            <Pager list="balances" title="Balances" ends={found.balances.pageInfo} />
          </Part>
          <Times network={network} address={address} />
          {chains.map(([key, title]) => (
            <Outputs key={key} list={key} chain={title} network={network} outputs={found[key]} />
          ))}
          <Part title="Newest transactions">
            <History edges={found.transactions.edges} />
            <Pager list="transactions" title="Newest transactions" ends={found.transactions.pageInfo} />
          </Part>
        </>
      )}
    </Page>
  );
}

/** The balance of each day, and when the rest can be spent. */
function Times({ network, address }: { network: NetworkName; address: string }) {
  return (
    <Also
      title="Balance of AVAX by day, and unlocks"
      document={AddressTimesDocument}
      variables={{ network, address }}
      find={(data) => data.address}
    >
      {(times) => (
        <>
          <Chart
            title="Balance of AVAX"
            days={times.balanceHistory.nodes}
            asset={AVAX}
            shape="level"
            none="No balance of the last 366 days is indexed."
          />
          <h3>What can be spent when</h3>
          <UnlockTable times={times} />
        </>
      )}
    </Also>
  );
}

type Found = NonNullable<AddressQuery['address']>;

function Outputs({
  list,
  chain,
  network,
  outputs: { nodes, totalCount, totalCountIsExact, pageInfo },
}: {
  list: string;
  chain: string;
  network: string;
  outputs: Found['p'];
}) {
  const title = `Outputs of the ${chain}`;
  return (
    <Part title={title}>
      <Shown shown={nodes.length} total={totalCount} isExact={totalCountIsExact} />
      <OutputTable
        rows={nodes}
        network={network}
        label={title}
        without={nodes.every(({ addresses }) => addresses.length === 1) ? ['Owners'] : []}
      />
      <Pager list={list} title={title} ends={pageInfo} />
    </Part>
  );
}

/** Transactions, with what each gave the address and took from it. */
function History({ edges }: { edges: Found['transactions']['edges'] }) {
  const assets = (effect: (typeof edges)[number]['effect'], side: 'received' | 'sent') =>
    effect?.assets.map(({ asset, [side]: amount }) => (
      <div key={asset.assetId}>
        {amount === null || amount === undefined ? 'not known' : <Amount amount={amount} asset={asset} />}
      </div>
    ));
  return (
    <TransactionTable
      rows={edges.map(({ node, effect }) => ({ ...node, effect }))}
      label="Newest transactions of the address"
      more={[
        { title: 'Received', cell: ({ effect }) => assets(effect, 'received') },
        { title: 'Sent', cell: ({ effect }) => assets(effect, 'sent') },
      ]}
    />
  );
}
