import type { MessagePageFragment } from '../generated/others/graphql.js';
import { messagePath } from '../paths.js';
import { Badge } from './badge.js';
import { EvmAddress } from './evm-address.js';
import { Pager } from './pager.js';
import { Table } from './table.js';
import { Age, Id, Name, shortId } from './text.js';

/** How far a message is, for people. */
export const statusOf = (status: string) =>
  ({
    pending: 'sent, not delivered',
    delivered: 'delivered',
    delivered_source_not_indexed: 'delivered, source not indexed',
  })[status] ?? status;

/** @param isBrief whether what is known of each end is said next to it */
export const StatusBadge = ({ status, isBrief = false }: { status: string; isBrief?: boolean }) => {
  const isPending = status === 'pending';
  return (
    <Badge tone={isPending ? 'is-waiting' : 'is-spendable'} title={statusOf(status)}>
      {isBrief ? (isPending ? 'not delivered' : 'delivered') : statusOf(status)}
    </Badge>
  );
};

interface Chain {
  chainId: string;
  chainName: string;
}

/**
 * A chain of a message in few words: its name, otherwise its EVM chain id, or its blockchain id where that is
 * 0, which stands for one that is not known.
 */
export const ChainWords = ({
  chain,
  id,
  blockchain,
}: {
  chain: Chain | null;
  id: string;
  blockchain: string;
}) =>
  chain?.chainName ? (
    <Name text={chain.chainName} />
  ) : (
    <span title={blockchain}>
      chain <span class="ref">{id === '0' ? shortId(blockchain) : id}</span>
    </span>
  );

type Row = MessagePageFragment['nodes'][number];

/** A page of interchain messages. */
export function Messages({
  page,
  network,
  csv,
}: {
  page: MessagePageFragment;
  network: string;
  /** The list in the REST API. */
  csv?: string;
}) {
  return (
    <>
      <Table
        label="Interchain messages"
        none="No interchain message is indexed here."
        rows={page.nodes}
        keyOf={({ messageId }) => messageId}
        columns={[
          {
            title: 'Message',
            cell: ({ messageId }) => <Id id={messageId} href={messagePath(network, messageId)} />,
          },
          { title: 'Status', cell: ({ status }) => <StatusBadge status={status} isBrief /> },
          {
            title: 'From chain',
            cell: ({ sourceChain, sourceEvmChainId, sourceBlockchainId }) => (
              <span class="wraps">
                <ChainWords chain={sourceChain} id={sourceEvmChainId} blockchain={sourceBlockchainId} />
              </span>
            ),
          },
          {
            title: 'To chain',
            cell: ({ destinationChain, destinationEvmChainId, destinationBlockchainId }) => (
              <span class="wraps">
                <ChainWords
                  chain={destinationChain}
                  id={destinationEvmChainId}
                  blockchain={destinationBlockchainId}
                />
              </span>
            ),
          },
          // Before those that a narrow window may cut.
          {
            title: 'Sent',
            cell: ({ sourceTransaction }) => <When at={sourceTransaction} otherwise="not indexed" />,
          },
          {
            title: 'Delivered',
            cell: ({ destinationTransaction }) => <When at={destinationTransaction} otherwise="–" />,
          },
          {
            title: 'Sender',
            cell: ({ from, sourceChain }) => (
              <EvmAddress address={from} chain={sourceChain} network={network} />
            ),
          },
          {
            title: 'Recipient',
            cell: ({ to, destinationChain }) => (
              <EvmAddress address={to} chain={destinationChain} network={network} />
            ),
          },
        ]}
      />
      <Pager
        list="messages"
        title="Interchain messages"
        ends={page.pageInfo}
        csv={page.nodes.length > 0 ? csv : undefined}
      />
    </>
  );
}

/** The age of a transaction. @param otherwise what is said if it is not indexed, or has not happened */
const When = ({ at, otherwise }: { at: Row['sourceTransaction']; otherwise: string }) =>
  at ? <Age seconds={at.timestamp} /> : <span class="unknown">{otherwise}</span>;
