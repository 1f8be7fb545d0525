import type { InternalPageFragment } from '../generated/others/graphql.js';
import { evmAddressPath, evmChainPath, evmTransactionPath } from '../paths.js';
import { Amount, type AssetOfAmount } from './amount.js';
import { Badge } from './badge.js';
import { Pager } from './pager.js';
import { Table } from './table.js';
import { Age, grouped, Id } from './text.js';

/** The coin of an EVM chain, as an asset. */
export const coinOf = (token: { symbol: string; name: string; decimals: number }): AssetOfAmount => ({
  symbol: token.symbol,
  name: token.name,
  denomination: token.decimals,
});

/** What a frame did, in a word, and whether it was undone. */
const FrameKind = ({ of: { internalTxType, isReverted } }: { of: InternalPageFragment['nodes'][number] }) => (
  <>
    <Badge title={internalTxType}>{/^CREATE/.test(internalTxType) ? 'new contract' : 'call'}</Badge>{' '}
    {isReverted && <Badge tone="is-bad">reverted</Badge>}
  </>
);

/** A page of internal transactions of a chain. */
export function InternalTransactions({
  page,
  network,
  chain,
  coin,
  csv,
  own,
  without = [],
}: {
  page: InternalPageFragment;
  network: string;
  chain: string;
  coin: AssetOfAmount;
  /** The list in the REST API. */
  csv?: string;
  /** The address whose list it is: it is no link, so that who is at the other end is seen. */
  own?: string;
  /** Titles of columns that say the same in each row. */
  without?: readonly string[];
}) {
  const party = ({ address }: { address: string }) => (
    <Id id={address} href={address === own ? undefined : evmAddressPath(network, chain, address)} />
  );
  type Frame = InternalPageFragment['nodes'][number];
  const columns = [
    {
      title: 'Transaction',
      cell: ({ txHash }: Frame) => <Id id={txHash} href={evmTransactionPath(network, chain, txHash)} />,
    },
    { title: 'Type', cell: (frame: Frame) => <FrameKind of={frame} /> },
    { title: 'From', cell: ({ from }: Frame) => party(from) },
    { title: 'To', cell: ({ to }: Frame) => party(to) },
    {
      title: 'Value',
      isFigure: true,
      cell: ({ value }: Frame) => <Amount amount={value} asset={coin} />,
    },
    {
      title: 'Block',
      isFigure: true,
      cell: ({ blockNumber }: Frame) => (
        <a href={`${evmChainPath(network, chain)}?block=${blockNumber}`}>{grouped(blockNumber)}</a>
      ),
    },
    { title: 'Time', cell: ({ blockTimestamp }: Frame) => <Age seconds={blockTimestamp} /> },
  ];
  return (
    <>
      <Table
        label="Internal transactions"
        none="No internal transaction is indexed here."
        isWide
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
