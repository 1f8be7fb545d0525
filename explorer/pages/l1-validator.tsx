import { CalendarClock, Scale, Wallet } from 'lucide';
import { L1ValidatorDocument, type L1ValidatorQuery } from '../generated/others/graphql.js';
import { OfAvax } from '../components/amount.js';
import { Part } from '../components/answer.js';
import { Badge, TypeBadge } from '../components/badge.js';
import { Facts, Figures } from '../components/facts.js';
import { Owners } from '../components/lists.js';
import { Page } from '../components/page.js';
import { Pager } from '../components/pager.js';
import { L1State } from '../components/l1-stakers.js';
import { Table } from '../components/table.js';
import { Age, grouped, Id, Time } from '../components/text.js';
import { usePages } from '../paging.js';
import { l1ValidatorPath, networkOf, subnetPath, transactionPath, validatorPath } from '../paths.js';

/** A validator of an L1: its balance, and every change that a transaction made to it. */
export function L1ValidatorPage({
  network: name,
  validation = '',
}: {
  network?: string;
  validation?: string;
}) {
  const network = networkOf(name);
  return (
    <Page
      title="L1 validator"
      id={validation}
      document={L1ValidatorDocument}
      variables={{ network, validation, ...usePages('changes') }}
      find={({ l1Validator }) => l1Validator}
      addressOf={(found) => l1ValidatorPath(network, found.validationId)}
      missing={`No indexed transaction of ${network} changed this validator.`}
    >
      {(found) => <Found found={found} network={network} />}
    </Page>
  );
}

function Found({ found, network }: { found: NonNullable<L1ValidatorQuery['l1Validator']>; network: string }) {
  const { nodeId, subnetId, validationIdHex, weight, runsDryAt, changes, creatingTransaction } = found;
  const { balance, balanceOwner, blsCredentials } = found;
  const isComputed = balance !== null;
  return (
    <>
      <Figures
        figures={[
          {
            title: isComputed ? 'Balance now' : 'Balance after its newest change',
            icon: Wallet,
            value: <OfAvax amount={balance ?? found.remainingBalance} />,
            note: <L1State of={found} />,
          },
          { title: 'Weight', icon: Scale, value: grouped(weight) },
          ...(runsDryAt
            ? [
                {
                  title: 'Balance lasts until',
                  icon: CalendarClock,
                  value: <Age seconds={runsDryAt} />,
                  note: <Time seconds={runsDryAt} />,
                },
              ]
            : []),
        ]}
      />
      <Facts
        facts={[
          ['Node', <Id id={nodeId} href={validatorPath(network, nodeId)} />],
          ['Subnet', <Id id={subnetId} href={subnetPath(network, subnetId)} />],
          ['As hex', validationIdHex ? <Id id={validationIdHex} /> : undefined],
          [
            'Registered',
            creatingTransaction ? (
              <>
                <Age seconds={creatingTransaction.blockTimestamp} /> by{' '}
                <Id
                  id={creatingTransaction.txHash}
                  href={transactionPath(network, 'p-chain', creatingTransaction.txHash)}
                />
              </>
            ) : undefined,
          ],
          [
            'Rest goes to',
            balanceOwner ? (
              <Owners
                addresses={balanceOwner.addresses}
                threshold={balanceOwner.threshold}
                network={network}
              />
            ) : undefined,
          ],
          ['BLS key', blsCredentials ? <Id id={blsCredentials.publicKey} /> : undefined],
        ]}
      />
      <Changes of={changes} network={network} />
    </>
  );
}

type Found = NonNullable<L1ValidatorQuery['l1Validator']>;

/** Every change of its weight and balance. */
const Changes = ({ of, network }: { of: Found['changes']; network: string }) => (
  <Part title="Changes">
    <Table
      label="Changes"
      none="No change is indexed."
      rows={of.nodes}
      keyOf={({ txHash }) => txHash}
      columns={[
        {
          title: 'Transaction',
          cell: ({ txHash }) => <Id id={txHash} href={transactionPath(network, 'p-chain', txHash)} />,
        },
        {
          title: 'Type',
          cell: ({ transaction }) =>
            transaction ? <TypeBadge type={transaction.txType} /> : <Badge>not indexed</Badge>,
        },
        { title: 'Time', cell: ({ blockTimestamp }) => <Age seconds={blockTimestamp} /> },
        {
          title: 'Weight',
          isFigure: true,
          cell: (change) => (Number(change.weight) === 0 ? 'removed' : grouped(change.weight)),
        },
        {
          title: 'Paid in',
          isFigure: true,
          cell: ({ balanceChange }) => <OfAvax amount={balanceChange} />,
        },
        {
          title: 'Balance',
          isFigure: true,
          cell: ({ remainingBalance }) => <OfAvax amount={remainingBalance} />,
        },
      ]}
    />
    <Pager list="changes" title="Changes" ends={of.pageInfo} />
  </Part>
);
