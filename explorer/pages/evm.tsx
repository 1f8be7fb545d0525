import { Chart } from '../charts/chart.js';
import { dayOf } from '../charts/csv.js';
import { EvmAddressDocument, EvmBalancesDocument, EvmChainDocument } from '../generated/graphql.js';
import { Also } from '../components/also.js';
import type { AssetOfAmount } from '../components/amount.js';
import { Part } from '../components/answer.js';
import { coinOf, InternalTransactions, Messages } from '../components/evm.js';
import { Facts } from '../components/facts.js';
import { Nfts } from '../components/nfts.js';
import { Page } from '../components/page.js';
import { Id, Name, plain } from '../components/text.js';
import { usePages } from '../paging.js';
import { evmAddressPath, evmChainPath, networkOf, networkOfEvm, restList, subnetPath } from '../paths.js';

/** An EVM chain and its newest internal transactions. */
export function EvmChainPage({ network: name, evm = '' }: { network?: string; evm?: string }) {
  const network = networkOf(name);
  return (
    <Page
      title={`EVM chain ${evm}`}
      document={EvmChainDocument}
      variables={{ evm, ...usePages('internal') }}
      find={({ chain }) => chain}
      addressOf={(found) => evmChainPath(networkOfEvm(found, network), found.chainId)}
      missing="This EVM chain is not indexed."
    >
      {(chain) => (
        <>
          <Facts
            facts={[
              ['Name', <Name text={chain.chainName} />],
              ['Description', chain.description ? plain(chain.description).slice(0, 600) : undefined],
              ['Blockchain id', chain.blockchainId && <Id id={chain.blockchainId} />],
              [
                'Subnet',
                chain.subnetId && <Id id={chain.subnetId} href={subnetPath(network, chain.subnetId)} />,
              ],
              ['Coin', <Name text={chain.networkToken.symbol} />],
            ]}
          />
          <Part title="Newest internal transactions">
            <InternalTransactions
              page={chain.internalTransactions}
              network={network}
              chain={chain.chainId}
              coin={coinOf(chain.networkToken)}
            />
          </Part>
        </>
      )}
    </Page>
  );
}

interface PageParams {
  network?: string;
  evm?: string;
  address?: string;
}

/** An address of an EVM chain: what contracts sent to it, its messages and NFTs. */
export function EvmAddressPage({ network: name, evm = '', address = '' }: PageParams) {
  const network = networkOf(name);
  const account = ['chains', evm, 'addresses', address];
  const variables = { evm, address, ...usePages('internal', 'messages', 'nfts') };
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
          </p>
          <Balances evm={evm} address={address} coin={coinOf(chain.networkToken)} />
          <Part title="Internal transactions">
            <InternalTransactions
              page={internalTransactions}
              network={network}
              chain={chain.chainId}
              coin={coinOf(chain.networkToken)}
              csv={restList([...account, 'transactions:listInternals'])}
            />
          </Part>
          <Part title="Interchain messages">
            <Messages
              page={icmMessages}
              network={network}
              csv={restList(['icm', 'addresses', address, 'messages'], { network })}
            />
          </Part>
          <Part title="NFTs">
            <Nfts
              list="nfts"
              page={nfts}
              network={network}
              chain={chain.chainId}
              csv={restList([...account, 'balances:listErc721'])}
              without={['Owner']}
            />
          </Part>
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
