import { EvmTransactionDocument } from '../generated/graphql.js';
import { Part } from '../components/answer.js';
import { coinOf, InternalTransactions, Messages } from '../components/evm.js';
import { Facts } from '../components/facts.js';
import { Page } from '../components/page.js';
import { Name, Time } from '../components/text.js';
import { usePages } from '../paging.js';
import { evmChainPath, evmTransactionPath, networkOf, networkOfEvm } from '../paths.js';

/** A transaction of an EVM chain: what is indexed of it are its internal transactions and its messages. */
export function EvmTransactionPage({
  network: name,
  evm = '',
  hash = '',
}: {
  network?: string;
  evm?: string;
  hash?: string;
}) {
  const network = networkOf(name);
  return (
    <Page
      title="EVM transaction"
      id={hash}
      document={EvmTransactionDocument}
      variables={{ evm, hash, ...usePages('internal', 'messages') }}
      find={({ chain, internalTransactions: internal, icmMessages: messages }) =>
        chain && internal && messages && { chain, internal, messages }
      }
      addressOf={({ chain }) =>
        evmTransactionPath(networkOfEvm(chain, network), chain.chainId, hash.toLowerCase())
      }
      missing="This EVM chain is not indexed."
    >
      {({ chain, internal, messages }) => (
        <>
          <Facts
            facts={[
              [
                'Chain',
                <a href={evmChainPath(network, chain.chainId)}>
                  <Name text={chain.chainName || chain.chainId} />
                </a>,
              ],
              ['Block', internal.nodes[0]?.blockNumber ?? null],
              [
                'Time',
                internal.nodes[0] ? <Time seconds={internal.nodes[0].blockTimestamp} withUtc /> : null,
              ],
            ]}
          />
          <p>Of EVM transactions, the value that contracts sent and interchain messages are indexed.</p>
          <Part title="Internal transactions">
            <InternalTransactions
              page={internal}
              network={network}
              chain={chain.chainId}
              coin={coinOf(chain.networkToken)}
              without={['Transaction', 'Block', 'Time']}
            />
          </Part>
          <Part title="Interchain messages that it sent or delivered">
            <Messages page={messages} network={network} />
          </Part>
        </>
      )}
    </Page>
  );
}
