import type { ComponentChildren } from 'preact';
import { MessageDocument, type MessageQuery } from '../generated/others/graphql.js';
import { Amount } from '../components/amount.js';
import { Part } from '../components/answer.js';
import { Crossing } from '../components/crossing.js';
import { EvmAddress } from '../components/evm-address.js';
import { coinOf } from '../components/evm.js';
import { Facts } from '../components/facts.js';
import { ChainWords, StatusBadge } from '../components/messages.js';
import { Page } from '../components/page.js';
import { Table } from '../components/table.js';
import { Id, Name, Time } from '../components/text.js';
import { evmChainPath, evmTransactionPath, messagePath, networkOf } from '../paths.js';

type Message = NonNullable<MessageQuery['icmMessage']>;
type Fact = readonly [name: string, value: ComponentChildren | undefined];

/** How many receipts, and how many characters of the payload, are shown. */
const SHOWN_RECEIPTS = 50;
const SHOWN_DATA = 2000;

/** An interchain message: where it was sent, where it was delivered, its reward and its receipts. */
export function MessagePage({ network: name, message = '' }: { network?: string; message?: string }) {
  const network = networkOf(name);
  return (
    <Page
      title="Interchain message"
      id={message}
      document={MessageDocument}
      variables={{ message }}
      find={({ icmMessage }) => icmMessage}
      heading={(found) => (
        <>
          From{' '}
          <ChainWords
            chain={found.sourceChain}
            id={found.sourceEvmChainId}
            blockchain={found.sourceBlockchainId}
          />{' '}
          to{' '}
          <ChainWords
            chain={found.destinationChain}
            id={found.destinationEvmChainId}
            blockchain={found.destinationBlockchainId}
          />
        </>
      )}
      addressOf={(found) => messagePath(found.network, found.messageId)}
      missing="This message is not indexed."
    >
      {(found) => (
        <>
          <Crossing of={found} />
          <Facts
            facts={[
              ['Status', <StatusBadge status={found.status} />],
              ['Nonce', found.messageNonce],
              ['Messenger', <Id id={found.icmContractAddress} />],
            ]}
          />
          <div class="ends">
            <Part title="Sent">
              <Facts facts={sourceFacts(found, network)} />
            </Part>
            <Part title="Delivered">
              <Facts facts={destinationFacts(found, network)} />
            </Part>
          </div>
          <Receipts receipts={found.receipts} network={network} />
          <Part title="Payload">{found.data ? <Payload data={found.data} /> : <p>It is not known.</p>}</Part>
        </>
      )}
    </Page>
  );
}

function Payload({ data }: { data: string }) {
  const more = data.length - SHOWN_DATA;
  return (
    <>
      <pre tabIndex={0} class="payload">
        {data.slice(0, SHOWN_DATA)}
      </pre>
      {more > 0 && <p>{more.toLocaleString('en')} more characters are left out.</p>}
    </>
  );
}

type Chain = Message['sourceChain'];

function chainFact(chain: Chain, id: string, blockchainId: string, network: string): Fact {
  return [
    'Chain',
    chain ? (
      <a href={evmChainPath(network, chain.chainId)}>
        <Name text={chain.chainName || id} />
      </a>
    ) : (
      <>
        {id !== '0' && `${id} `}
        <Id id={blockchainId} /> (not indexed)
      </>
    ),
  ];
}

function transactionFacts(
  transaction: { txHash: string; timestamp: number | string; gasSpent: string } | null | undefined,
  chain: Chain,
  network: string,
): Fact[] {
  if (!transaction) return [['Transaction', 'not indexed, or there is none yet']];
  const { txHash, timestamp, gasSpent } = transaction;
  return [
    [
      'Transaction',
      <Id id={txHash} href={chain ? evmTransactionPath(network, chain.chainId, txHash) : undefined} />,
    ],
    ['Time', <Time seconds={timestamp} withUtc />],
    ['Fee', chain ? <Amount amount={gasSpent} asset={coinOf(chain.networkToken)} /> : gasSpent],
  ];
}

const addressFact = (title: string, address: string, chain: Chain, network: string): Fact => [
  title,
  <EvmAddress address={address} chain={chain} network={network} />,
];

function sourceFacts(found: Message, network: string): Fact[] {
  const { sourceEvmChainId: id, sourceChain: chain } = found;
  return [
    chainFact(chain, id, found.sourceBlockchainId, network),
    addressFact('From', found.from, chain, network),
    ...transactionFacts(found.sourceTransaction, chain, network),
  ];
}

function destinationFacts(found: Message, network: string): Fact[] {
  const { destinationEvmChainId: id, destinationChain: chain, destinationTransaction } = found;
  return [
    chainFact(chain, id, found.destinationBlockchainId, network),
    addressFact('To', found.to, chain, network),
    ...transactionFacts(destinationTransaction, chain, network),
    ...(destinationTransaction
      ? [
          addressFact('Delivered by', destinationTransaction.delivererAddress, chain, network),
          addressFact('Reward goes to', destinationTransaction.rewardRedeemer, chain, network),
        ]
      : []),
  ];
}

function Receipts({ receipts, network }: { receipts: Message['receipts']; network: string }) {
  if (receipts.length === 0) return null;
  const more = receipts.length - SHOWN_RECEIPTS;
  return (
    <Part title="Receipts that it carries">
      <Table
        label="Receipts"
        rows={receipts.slice(0, SHOWN_RECEIPTS)}
        keyOf={({ receivedMessageNonce }) => receivedMessageNonce}
        columns={[
          { title: 'Nonce', cell: ({ receivedMessageNonce }) => receivedMessageNonce },
          {
            title: 'Message',
            cell: ({ message }) =>
              message ? (
                <Id id={message.messageId} href={messagePath(network, message.messageId)} />
              ) : (
                'not indexed'
              ),
          },
          { title: 'Reward goes to', cell: ({ relayerRewardAddress }) => <Id id={relayerRewardAddress} /> },
        ]}
      />
      {more > 0 && <p>{more.toLocaleString('en')} more are left out.</p>}
    </Part>
  );
}
