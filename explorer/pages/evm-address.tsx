import { Chart } from '../charts/chart.js';
import { dayOf } from '../charts/csv.js';
import { EvmAddressDocument, EvmBalancesDocument } from '../generated/others/graphql.js';
import { Also } from '../components/also.js';
import { Amount, type AssetOfAmount } from '../components/amount.js';
import { coinOf, InternalTransactions } from '../components/evm.js';
import { Facts } from '../components/facts.js';
import { Messages } from '../components/messages.js';
import { Nfts } from '../components/nfts.js';
import { Page } from '../components/page.js';
import { Table } from '../components/table.js';
import { Tabs, useTab } from '../components/tabs.js';
import { Age, grouped, Id, Name } from '../components/text.js';
import { usePages } from '../paging.js';
import { evmAddressPath, evmChainPath, networkOf, networkOfEvm, restList } from '../paths.js';

interface PageParams {
  network?: string;
  evm?: string;
  address?: string;
}

const tabs = [
  { key: 'internal', title: 'Internal transactions' },
  { key: 'messages', title: 'Interchain messages' },
  { key: 'nfts', title: 'NFTs' },
  { key: 'balance', title: 'Balances' },
];

/** An address of an EVM chain, in tabs: what contracts sent to it, its messages, NFTs and balance. */
export function EvmAddressPage({ network: name, evm = '', address = '' }: PageParams) {
  const network = networkOf(name);
  const account = ['chains', evm, 'addresses', address];
  const tab = useTab(tabs);
  const variables = {
    evm,
    address,
    ...usePages('internal', 'messages', 'nfts'),
    internal: tab === 'internal',
    messages: tab === 'messages',
    nfts: tab === 'nfts',
  };
  return (
    <Page
      title="EVM address"
      id={address}
      document={EvmAddressDocument}
      variables={variables}
      find={({ evmAddress }) => evmAddress}
      addressOf={({ chain, address }) => evmAddressPath(networkOfEvm(chain, network), chain.chainId, address)}
      missing="This EVM chain is not indexed."
    >
      {({ address: own, chain, balance, internalTransactions, icmMessages, nfts }) => (
        <>
          <p>
            On{' '}
            <a href={evmChainPath(network, chain.chainId)}>
              <Name text={chain.chainName || chain.chainId} />
            </a>
            , of which internal transactions, messages, NFTs and balances are indexed.
          </p>
          {balance !== null && (
            <Facts facts={[['Has now', <Amount amount={balance} asset={coinOf(chain.networkToken)} />]]} />
          )}
          <Tabs label="Parts of this page" tabs={tabs} />
          {internalTransactions && (
            <InternalTransactions
              page={internalTransactions}
              network={network}
              chain={chain.chainId}
              coin={coinOf(chain.networkToken)}
              csv={restList([...account, 'transactions:listInternals'])}
              own={own}
            />
          )}
          {icmMessages && (
            <Messages
              page={icmMessages}
              network={network}
              csv={restList(['icm', 'addresses', address, 'messages'], { network })}
            />
          )}
          {nfts && (
            <Nfts
              list="nfts"
              page={nfts}
              network={network}
              chain={chain.chainId}
              csv={restList([...account, 'balances:listErc721'])}
              without={['Owner']}
            />
          )}
          {tab === 'balance' && (
            <Balances network={network} evm={evm} address={address} coin={coinOf(chain.networkToken)} />
          )}
        </>
      )}
    </Page>
  );
}

const DAY = 86_400;
/** The graph gives at most as many days. */
const DAYS = 366;

/** The balance of the chain's coin on each day of the last year, and what it has of tokens. */
function Balances({
  network,
  evm,
  address,
  coin,
}: {
  network: string;
  evm: string;
  address: string;
  coin: AssetOfAmount;
}) {
  const today = Date.now() / 1000;
  const range = { from: dayOf(today - (DAYS - 1) * DAY), to: dayOf(today) };
  return (
    <Also
      title="Balances"
      document={EvmBalancesDocument}
      variables={{ evm, address, ...range }}
      find={({ evmAddress }) => evmAddress}
    >
      {({ dailyBalances, tokenBalances }) => (
        <>
          <Chart
            title="Balance"
            days={dailyBalances.nodes}
            asset={coin}
            shape="level"
            none="No balance of the last 366 days is indexed."
          />
          <h3>ERC-20 tokens</h3>
          <Table
            label="ERC-20 tokens"
            none="No balance of a token is indexed."
            rows={tokenBalances.nodes}
            keyOf={({ contract }) => contract}
            columns={[
              {
                title: 'Token',
                cell: ({ contract }) => <Id id={contract} href={evmAddressPath(network, evm, contract)} />,
              },
              // Tokens say their decimals by calls, which are not indexed.
              { title: 'Smallest units', isFigure: true, cell: ({ balance }) => grouped(balance) },
              { title: 'Since', cell: ({ since }) => <Age seconds={since} /> },
            ]}
          />
          {tokenBalances.pageInfo.hasNextPage && <p>The first {tokenBalances.nodes.length} are shown.</p>}
        </>
      )}
    </Also>
  );
}
