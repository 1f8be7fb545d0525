import type { ChainLineFragment, InternalPageFragment, MessagePageFragment } from '../generated/graphql.js';
import { evmAddressPath, evmChainPath, evmTransactionPath, messagePath } from '../paths.js';
import { Amount, type AssetOfAmount } from './amount.js';
import { Badge } from './badge.js';
import { Pager } from './pager.js';
import { Table } from './table.js';
import { Age, Id, Name } from './text.js';

/** The coin of an EVM chain, as an asset. */
export const coinOf = (token: { symbol: string; name: string; decimals: number }): AssetOfAmount => ({
  symbol: token.symbol,
  name: token.name,
  denomination: token.decimals,
});

export function ChainTable({ rows, network }: { rows: readonly ChainLineFragment[]; network: string }) {
  return (
    <Table
      label="EVM chains"
      none="No EVM chain is indexed here."
      rows={rows}
      keyOf={({ chainId }) => chainId}
      columns={[
        {
          title: 'Chain',
          cell: ({ chainId, chainName }) => (
            <a href={evmChainPath(network, chainId)}>
              <Name text={chainName || chainId} />
            </a>
          ),
        },
        { title: 'EVM chain id', cell: ({ chainId }) => chainId },
        {
          title: 'Blockchain id',
          cell: ({ blockchainId }) => (blockchainId ? <Id id={blockchainId} /> : 'not known'),
        },
        { title: 'Coin', cell: ({ networkToken }) => <Name text={networkToken.symbol} /> },
      ]}
    />
  );
}

/** A page of internal transactions of a chain. */
export function InternalTransactions({
  page,
  network,
  chain,
  coin,
  csv,
  without = [],
}: {
  page: InternalPageFragment;
  network: string;
  chain: string;
  coin: AssetOfAmount;
  /** The list in the REST API. */
  csv?: string;
  /** Titles of columns that say the same in each row. */
  without?: readonly string[];
}) {
  const party = ({ address }: { address: string }) => (
    <Id id={address} href={evmAddressPath(network, chain, address)} />
  );
  type Frame = InternalPageFragment['nodes'][number];
  const columns = [
    {
      title: 'Transaction',
      cell: ({ txHash }: Frame) => <Id id={txHash} href={evmTransactionPath(network, chain, txHash)} />,
    },
    { title: 'Type', cell: ({ internalTxType }: Frame) => <Badge>{internalTxType}</Badge> },
    { title: 'From', cell: ({ from }: Frame) => party(from) },
    { title: 'To', cell: ({ to }: Frame) => party(to) },
    {
      title: 'Value',
      isFigure: true,
      cell: ({ value, isReverted }: Frame) => (
        <>
          <Amount amount={value} asset={coin} /> {isReverted && '(reverted)'}
        </>
      ),
    },
    { title: 'Block', cell: ({ blockNumber }: Frame) => blockNumber },
    { title: 'Time', cell: ({ blockTimestamp }: Frame) => <Age seconds={blockTimestamp} /> },
  ];
  return (
    <>
      <Table
        label="Internal transactions"
        none="No internal transaction is indexed here."
        rows={page.nodes}
        keyOf={({ id }) => id}
        columns={columns.filter(({ title }) => !without.includes(title))}
      />
      <Pager
        list="internal"
        title="Internal transactions"
        ends={page.pageInfo}
        csv={page.nodes.length > 0 ? csv : undefined}
      />
    </>
  );
}

/** How far a message is, for people. */
export const statusOf = (status: string) =>
  ({
    pending: 'sent, not delivered',
    delivered: 'delivered',
    delivered_source_not_indexed: 'delivered, source not indexed',
  })[status] ?? status;

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
          {
            title: 'Status',
            cell: ({ status }) => (
              <Badge tone={status === 'pending' ? 'is-waiting' : 'is-spendable'}>{statusOf(status)}</Badge>
            ),
          },
          {
            title: 'From',
            cell: ({ from, sourceEvmChainId }) => (
              <>
                {sourceEvmChainId} <Id id={from} href={evmAddressPath(network, sourceEvmChainId, from)} />
              </>
            ),
          },
          {
            title: 'To',
            cell: ({ to, destinationEvmChainId }) => (
              <>
                {destinationEvmChainId}{' '}
                <Id id={to} href={evmAddressPath(network, destinationEvmChainId, to)} />
              </>
            ),
          },
          {
            title: 'Sent',
            cell: ({ sourceTransaction }) => <Age seconds={sourceTransaction?.timestamp} />,
          },
          {
            title: 'Delivered',
            cell: ({ destinationTransaction }) => <Age seconds={destinationTransaction?.timestamp} />,
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
