import { useAnswer } from '../ask.js';
import { addressDocument } from '../documents.js';
import type { AddressQuery } from '../generated/graphql.js';
import { Amount } from '../parts/amount.js';
import { Asked, Part, Standing } from '../parts/answer.js';
import { OutputTable, Shown, TransactionTable } from '../parts/lists.js';
import { Table, type Column } from '../parts/table.js';
import { Id, Name, Time } from '../parts/text.js';
import { assetPath, networkOf } from '../paths.js';

const chains = [
  ['p', 'P-chain'],
  ['x', 'X-chain'],
  ['c', 'C-chain'],
] as const;

/** An address: balances by what can be done with them, its outputs, and its transactions. */
export function AddressPage({ network: name, address = '' }: { network?: string; address?: string }) {
  const network = networkOf(name);
  const variables = { network, address };
  const answer = useAnswer(addressDocument, variables);
  const found = answer.data?.address;
  return (
    <>
      <h1>Address</h1>
      <p>
        <Id id={address} />
      </p>
      <Standing answer={answer} />
      {found && (
        <>
          <Part title="Balances">
            <Balances balances={found.balances} network={network} />
          </Part>
          {chains.map(([key, title]) => (
            <Part key={key} title={`Outputs of the ${title}`}>
              <Shown
                shown={found[key].nodes.length}
                total={found[key].totalCount}
                isExact={found[key].totalCountIsExact}
              />
              <OutputTable
                rows={found[key].nodes}
                network={network}
                label={`Outputs of the ${title}`}
                without={found[key].nodes.every(({ addresses }) => addresses.length === 1) ? ['Owners'] : []}
              />
            </Part>
          ))}
          <Part title="Newest transactions">
            <TransactionTable rows={found.transactions.nodes} label="Newest transactions of the address" />
          </Part>
        </>
      )}
      <Asked document={addressDocument} variables={variables} />
    </>
  );
}

type Balances = NonNullable<AddressQuery['address']>['balances'];

const partsOf = [
  ['spendable', 'Spendable'],
  ['staked', 'Staked'],
  ['lockedStakeable', 'Locked, stakeable'],
  ['lockedPlatform', 'Locked'],
  ['inFlight', 'Exported, not imported'],
] as const;

type Balance = Balances['nodes'][number];
interface BalanceLine {
  asset: Balance['asset'];
  signatures: string;
  parts: Balance['singleSignature'];
}

const balanceColumns = (network: string): readonly Column<BalanceLine>[] => [
  {
    title: 'Asset',
    cell: ({ asset }) => (
      <a href={assetPath(network, asset.assetId)}>
        <Name text={asset.symbol || asset.name} />
      </a>
    ),
  },
  { title: 'Signatures', cell: ({ signatures }) => signatures },
  ...partsOf.map(([key, title]) => ({
    title,
    cell: ({ asset, parts }: BalanceLine) => <Amount amount={parts[key]} asset={asset} />,
  })),
  {
    title: 'Next unlock',
    cell: ({ parts }) => (parts.nextUnlockTimestamp ? <Time seconds={parts.nextUnlockTimestamp} /> : 'none'),
  },
];

function Balances({ balances: { nodes }, network }: { balances: Balances; network: string }) {
  if (nodes.length === 0) return <p>No output of this address is indexed.</p>;
  const lines = nodes.flatMap(({ asset, singleSignature, multiSignature }) => [
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
    />
  );
}
