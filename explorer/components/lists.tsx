import type { AliasOf } from '../chains.js';
import type { OutputLineFragment, TransactionLineFragment } from '../generated/graphql.js';
import { addressPath, blockPath, isGenesis, transactionPath } from '../paths.js';
import { Amount } from './amount.js';
import { ChainBadge, TypeBadge } from './badge.js';
import { OutputState } from './output-state.js';
import { Table, type Column } from './table.js';
import { Age, grouped, Id } from './text.js';

/** How many owners of an output are listed. */
const SHOWN_OWNERS = 3;

const transactionColumns: readonly Column<TransactionLineFragment>[] = [
  {
    title: 'Transaction',
    cell: ({ network, blockchainAlias, txHash }) => (
      <Id id={txHash} href={transactionPath(network, blockchainAlias, txHash)} />
    ),
  },
  { title: 'Type', cell: ({ txType }) => <TypeBadge type={txType} /> },
  { title: 'Time', cell: ({ blockTimestamp }) => <Age seconds={blockTimestamp} /> },
];

const placeColumns: readonly Column<TransactionLineFragment>[] = [
  { title: 'Chain', cell: ({ blockchainAlias }) => <ChainBadge chain={blockchainAlias} isNamed /> },
  {
    title: 'Block',
    cell: ({ network, blockchainAlias, blockNumber }) =>
      blockNumber ? (
        <a href={blockPath(network, blockchainAlias, blockNumber)}>{grouped(blockNumber)}</a>
      ) : (
        'unknown'
      ),
  },
];

/**
 * @param without titles of columns that say the same in each row
 * @param more columns of what is known of these transactions, before those that a narrow window may cut
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
  const columns = [...transactionColumns, ...more, ...placeColumns].filter(
    ({ title }) => !without.includes(title),
  );
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

const outputColumns = (network: string, aliasOf: AliasOf): readonly Column<OutputLineFragment>[] => [
  {
    title: 'Amount',
    isFigure: true,
    cell: ({ asset }) => <Amount amount={asset.amount} asset={asset} />,
  },
  { title: 'State', cell: (output) => <OutputState output={output} network={network} aliasOf={aliasOf} /> },
  {
    title: 'Created by',
    cell: ({ txHash, createdOnChainId }) =>
      isGenesis(txHash) ? (
        'genesis'
      ) : (
        <Id id={txHash} href={transactionPath(network, aliasOf(createdOnChainId), txHash)} />
      ),
  },
  {
    title: 'Owners',
    cell: ({ addresses, threshold }) => (
      <Owners addresses={addresses} threshold={threshold} network={network} />
    ),
  },
];

/** Addresses, and how many of them must sign where they are several. */
export function Owners({
  addresses,
  threshold,
  network,
}: {
  addresses: readonly string[];
  threshold: number | string | null | undefined;
  network: string;
}) {
  const more = addresses.length - SHOWN_OWNERS;
  return (
    <span class="wraps">
      {addresses.slice(0, SHOWN_OWNERS).map((address) => (
        <Id key={address} id={address} href={addressPath(network, address)} />
      ))}
      {more > 0 && ` and ${more} more`}
      {addresses.length > 1 && (
        <small>
          {' '}
          {threshold ?? 'not known how many'} of {addresses.length} must sign
        </small>
      )}
    </span>
  );
}

/** @param without titles of columns that say the same in each row */
export function OutputTable({
  rows,
  network,
  aliasOf = (id) => id,
  label,
  without = [],
}: {
  rows: readonly OutputLineFragment[];
  network: string;
  /** If omitted, chains have their ids; the page of a transaction changes its address to the alias. */
  aliasOf?: AliasOf;
  label: string;
  without?: readonly string[];
}) {
  const columns = outputColumns(network, aliasOf).filter(({ title }) => !without.includes(title));
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
      {total.toLocaleString('en')} are shown.
    </p>
  );
}
