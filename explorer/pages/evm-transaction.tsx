import { EvmTransactionDocument } from '../generated/others/graphql.js';
import { Part } from '../components/answer.js';
import { coinOf, InternalTransactions } from '../components/evm.js';
import { Facts } from '../components/facts.js';
import { Messages } from '../components/messages.js';
import { Page } from '../components/page.js';
import { grouped, Name, Time } from '../components/text.js';
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
        chain && internal && messages && { chain, internal, messages, first: internal.nodes[0] }
      }
      addressOf={({ chain }) =>
        evmTransactionPath(networkOfEvm(chain, network), chain.chainId, hash.toLowerCase())
      }
      missing="This EVM chain is not indexed."
    >
      {({ chain, internal, messages, first }) => (
        <>
          <Facts
            facts={[
              [
                'Chain',
                <a href={evmChainPath(network, chain.chainId)}>
                  <Name text={chain.chainName || chain.chainId} />
                </a>,
              ],
              // Of a transaction that only sent or delivered a message, only the message says when.
              [
                'Block',
                first && (
                  <a href={`${evmChainPath(network, chain.chainId)}?block=${first.blockNumber}`}>
                    {grouped(first.blockNumber)}
                  </a>
                ),
              ],
              ['Time', first && <Time seconds={first.blockTimestamp} withUtc />],
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
