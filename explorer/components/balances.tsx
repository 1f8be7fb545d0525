import type { AddressQuery } from '../generated/things/graphql.js';
import { assetPath } from '../paths.js';
import { Amount } from './amount.js';
import { Table, type Column } from './table.js';
import { Name, Time } from './text.js';

type Balance = NonNullable<AddressQuery['address']>['balances']['nodes'][number];

interface BalanceLine {
  asset: Balance['asset'];
  signatures: string;
  parts: Balance['singleSignature'];
}

const partsOf = [
  ['spendable', 'Spendable'],
  ['staked', 'Staked'],
  ['lockedStakeable', 'Locked, stakeable'],
  ['lockedPlatform', 'Locked'],
  ['inFlight', 'Exported, not imported'],
] as const;

const balanceColumns = (network: string): readonly Column<BalanceLine>[] => [
  {
    title: 'Asset',
    cell: ({ asset }) => (
      <a href={assetPath(network, asset.assetId)}>
        <Name text={asset.symbol || asset.name || asset.assetId} />
      </a>
    ),
  },
  { title: 'Signatures', cell: ({ signatures }) => signatures },
  ...partsOf.map(([key, title]) => ({
    title,
    isFigure: true,
    cell: ({ asset, parts }: BalanceLine) => <Amount amount={parts[key]} asset={asset} />,
  })),
  {
    title: 'Next unlock',
    cell: ({ parts }) => (parts.nextUnlockTimestamp ? <Time seconds={parts.nextUnlockTimestamp} /> : 'none'),
  },
];

/** The balances of an address, by what can be done with them and whether several signatures are needed. */
export function Balances({ balances, network }: { balances: readonly Balance[]; network: string }) {
  const lines = balances.flatMap(({ asset, singleSignature, multiSignature }) => [
    { asset, signatures: 'one', parts: singleSignature },
    { asset, signatures: 'several', parts: multiSignature },
  ]);
  // Few addresses share outputs with others.
  const rows = lines.filter(
    ({ signatures, parts }) => signatures === 'one' || partsOf.some(([key]) => parts[key] !== '0'),
  );
  return (
    <Table
      label="Balances"
      columns={balanceColumns(network)}
      rows={rows}
      keyOf={({ asset, signatures }) => `${asset.assetId} ${signatures}`}
      none="No output of this address is indexed."
    />
  );
}
