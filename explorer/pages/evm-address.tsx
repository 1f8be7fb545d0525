import { Chart } from '../charts/chart.js';
import { dayOf } from '../charts/csv.js';
import { EvmAddressDocument, EvmBalancesDocument } from '../generated/others/graphql.js';
import { Also } from '../components/also.js';
import type { AssetOfAmount } from '../components/amount.js';
import { coinOf, InternalTransactions } from '../components/evm.js';
import { Messages } from '../components/messages.js';
import { Nfts } from '../components/nfts.js';
import { Page } from '../components/page.js';
import { Tabs, useTab } from '../components/tabs.js';
import { Name } from '../components/text.js';
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
  { key: 'balance', title: 'Balance by day' },
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
      {({ chain, internalTransactions, icmMessages, nfts }) => (
        <>
          <p>
            On{' '}
            <a href={evmChainPath(network, chain.chainId)}>
              <Name text={chain.chainName || chain.chainId} />
            </a>
            , of which internal transactions, messages, NFTs and balances are indexed.
          </p>
          <Tabs label="Parts of this page" tabs={tabs} />
          {internalTransactions && (
            <InternalTransactions
              page={internalTransactions}
              network={network}
              chain={chain.chainId}
              coin={coinOf(chain.networkToken)}
              csv={restList([...account, 'transactions:listInternals'])}
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
          {tab === 'balance' && <Balances evm={evm} address={address} coin={coinOf(chain.networkToken)} />}
        </>
      )}
    </Page>
  );
}

const DAY = 86_400;
/** The graph gives at most as many days. */
const DAYS = 366;

/** The balance of the chain's coin on each day of the last year. */
function Balances({ evm, address, coin }: { evm: string; address: string; coin: AssetOfAmount }) {
  const today = Date.now() / 1000;
  const range = { from: dayOf(today - (DAYS - 1) * DAY), to: dayOf(today) };
  return (
    <Also
      title="Balance by day"
      document={EvmBalancesDocument}
      variables={{ evm, address, ...range }}
      find={({ evmAddress }) => evmAddress?.dailyBalances.nodes}
    >
      {(days) => (
        <Chart
          title="Balance"
          days={days}
          asset={coin}
          shape="level"
          none="No balance of the last 366 days is indexed."
        />
      )}
    </Also>
  );
}
