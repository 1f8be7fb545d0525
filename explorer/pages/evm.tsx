import { ArrowDownLeft, ArrowUpRight, Coins, Hash } from 'lucide';
import { EvmChainDocument, type EvmChainQuery } from '../generated/others/graphql.js';
import { Part } from '../components/answer.js';
import { coinOf, InternalTransactions } from '../components/evm.js';
import { Facts, Figures } from '../components/facts.js';
import { Filters } from '../components/filters.js';
import { Page } from '../components/page.js';
import { PRIMARY_NETWORK } from '../components/sentence-links.js';
import { grouped, Id, Name, plain } from '../components/text.js';
import { useChosen, written, type Filter } from '../filters.js';
import { usePages } from '../paging.js';
import { evmChainPath, networkOf, networkOfEvm, subnetPath, transactionPath } from '../paths.js';

const blockFilter = [
  {
    name: 'block',
    title: 'Only of block',
    check: { pattern: String.raw`\d+`, inputMode: 'numeric', title: 'Digits' },
  },
] as const satisfies readonly Filter[];

/** An EVM chain and its newest internal transactions. */
export function EvmChainPage({ network: name, evm = '' }: { network?: string; evm?: string }) {
  const network = networkOf(name);
  const { block } = useChosen(blockFilter);
  return (
    <Page
      title={`EVM chain ${evm}`}
      document={EvmChainDocument}
      variables={{ evm, block: written(block), ...usePages('internal') }}
      find={({ chain }) => chain}
      heading={(chain) => <Name text={chain.chainName || `EVM chain ${evm}`} />}
      addressOf={(found) => evmChainPath(networkOfEvm(found, network), found.chainId)}
      missing="This EVM chain is not indexed."
    >
      {(chain) => (
        <>
          <Key of={chain} network={network} />
          <Part title="Newest internal transactions">
            <Filters label="Which internal transactions are shown" filters={blockFilter} />
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

type Chain = NonNullable<EvmChainQuery['chain']>;

/** What it is known for. */
function Key({ of: chain, network }: { of: Chain; network: string }) {
  const { blockchainId, subnetId, messageDays } = chain;
  const sum = (count: 'sentCount' | 'receivedCount') =>
    grouped(messageDays.nodes.reduce((total, day) => total + Number(day[count]), 0));
  // The primary network's chains are older than any transaction.
  const hasCreation = blockchainId && subnetId && subnetId !== PRIMARY_NETWORK;
  return (
    <>
      <Figures
        figures={[
          { title: 'EVM chain id', icon: Hash, value: chain.chainId },
          { title: 'Coin', icon: Coins, value: <Name text={chain.networkToken.symbol} /> },
          { title: 'Messages sent', icon: ArrowUpRight, value: sum('sentCount'), note: 'in 30 days' },
          {
            title: 'Messages received',
            icon: ArrowDownLeft,
            value: sum('receivedCount'),
            note: 'in 30 days',
          },
        ]}
      />
      <Facts
        facts={[
          ['Description', chain.description ? plain(chain.description).slice(0, 600) : undefined],
          ['Blockchain id', blockchainId ? <Id id={blockchainId} /> : undefined],
          [
            'Subnet',
            subnetId === PRIMARY_NETWORK ? (
              <a href={subnetPath(network, subnetId)}>Primary network</a>
            ) : subnetId ? (
              <Id id={subnetId} href={subnetPath(network, subnetId)} />
            ) : undefined,
          ],
          [
            'Genesis',
            hasCreation ? (
              <a href={transactionPath(network, 'p-chain', blockchainId)}>
                Genesis, in the transaction that created the chain
              </a>
            ) : undefined,
          ],
        ]}
      />
    </>
  );
}
