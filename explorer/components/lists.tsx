import type { OutputLineFragment, TransactionLineFragment } from '../generated/graphql.js';
import { addressPath, blockPath, transactionPath } from '../paths.js';
import { Amount } from './amount.js';
import { Table, type Column } from './table.js';
import { Id, Time } from './text.js';

/** How many owners of an output are listed. */
const SHOWN_OWNERS = 3;

const transactionColumns: readonly Column<TransactionLineFragment>[] = [
  {
    title: 'Transaction',
    cell: ({ network, blockchainAlias, txHash }) => (
      <Id id={txHash} href={transactionPath(network, blockchainAlias, txHash)} />
    ),
  },
  { title: 'Type', cell: ({ txType }) => txType },
  { title: 'Chain', cell: ({ blockchainAlias }) => blockchainAlias },
  {
    title: 'Block',
    cell: ({ network, blockchainAlias, blockNumber }) =>
      blockNumber ? <a href={blockPath(network, blockchainAlias, blockNumber)}>{blockNumber}</a> : 'unknown',
  },
  { title: 'Time', cell: ({ blockTimestamp }) => <Time seconds={blockTimestamp} /> },
];

/**
 * @param without titles of columns that say the same in each row
 * @param more columns of what is known of these transactions
 */
export function TransactionTable<Row extends TransactionLineFragment>({
  rows,
  label,
  without = [],
  more = [],
}: {
  rows: readonly Row[];
  label: string;
  without?: readonly string[];
  more?: readonly Column<Row>[];
}) {
  const columns = [...transactionColumns.filter(({ title }) => !without.includes(title)), ...more];
  return (
    <Table
      label={label}
      columns={columns}
      rows={rows}
      keyOf={({ txHash }) => txHash}
      none="No transaction is indexed here."
    />
  );
}

const outputColumns = (network: string): readonly Column<OutputLineFragment>[] => [
  { title: 'Amount', cell: ({ asset }) => <Amount amount={asset.amount} asset={asset} /> },
  {
    title: 'Spent by',
    cell: ({ consumingTxHash, consumedOnChainId }) =>
      consumingTxHash ? (
        <Id id={consumingTxHash} href={transactionPath(network, consumedOnChainId, consumingTxHash)} />
      ) : (
        'unspent'
      ),
  },
  {
    title: 'Created by',
    cell: ({ txHash, createdOnChainId }) => (
      <Id id={txHash} href={transactionPath(network, createdOnChainId, txHash)} />
    ),
  },
  { title: 'Owners', cell: ({ addresses }) => <Owners addresses={addresses} network={network} /> },
];

function Owners({ addresses, network }: { addresses: readonly string[]; network: string }) {
  const more = addresses.length - SHOWN_OWNERS;
  return (
    <>
      {addresses.slice(0, SHOWN_OWNERS).map((address) => (
        <Id key={address} id={address} href={addressPath(network, address)} />
      ))}
      {more > 0 && ` and ${more} more`}
    </>
  );
}

/** @param without titles of columns that say the same in each row */
export function OutputTable({
  rows,
  network,
  label,
  without = [],
}: {
  rows: readonly OutputLineFragment[];
  network: string;
  label: string;
  without?: readonly string[];
}) {
  const columns = outputColumns(network).filter(({ title }) => !without.includes(title));
  return (
    <Table
      label={label}
      columns={columns}
      rows={rows}
      keyOf={({ utxoId }) => utxoId}
      none="No output is indexed here."
    />
  );
}

/** How many rows there are, and how many of them are shown. */
export function Shown({ shown, total, isExact }: { shown: number; total: number; isExact: boolean }) {
  if (shown >= total) return null;
  return (
    <p>
      {shown} of {isExact ? '' : 'more than '}
      {total.toLocaleString()} are shown.
    </p>
  );
}
