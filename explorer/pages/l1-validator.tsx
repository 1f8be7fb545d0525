import { L1ValidatorDocument, type L1ValidatorQuery } from '../generated/graphql.js';
import { OfAvax } from '../components/amount.js';
import { Part } from '../components/answer.js';
import { Facts } from '../components/facts.js';
import { Page } from '../components/page.js';
import { Pager } from '../components/pager.js';
import { yesOrNo } from '../components/stakers.js';
import { Table } from '../components/table.js';
import { Id, Time } from '../components/text.js';
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
  const { nodeId, subnetId, validationIdHex, weight, runsDryAt, changes } = found;
  return (
    <>
      <Facts
        facts={[
          ['Node', <Id id={nodeId} href={validatorPath(network, nodeId)} />],
          ['Subnet', <Id id={subnetId} href={subnetPath(network, subnetId)} />],
          ['As hex', validationIdHex && <Id id={validationIdHex} />],
          ['Validates now', yesOrNo(found.isActive)],
          ['Weight', Number(weight) === 0 ? 'removed' : String(weight)],
          ['Balance now', <OfAvax amount={found.balance} />],
          ['Balance after its newest change', <OfAvax amount={found.remainingBalance} />],
          ['Lasts until', runsDryAt ? <Time seconds={runsDryAt} withUtc /> : null],
        ]}
      />
      <Part title="Changes">
        <Table
          label="Changes"
          none="No change is indexed."
          rows={changes.nodes}
          keyOf={({ txHash }) => txHash}
          columns={[
            {
              title: 'Transaction',
              cell: ({ txHash }) => <Id id={txHash} href={transactionPath(network, 'p-chain', txHash)} />,
            },
            { title: 'Type', cell: ({ transaction }) => transaction?.txType ?? 'not indexed' },
            { title: 'Time', cell: ({ blockTimestamp }) => <Time seconds={blockTimestamp} /> },
            { title: 'Weight', cell: (change) => String(change.weight) },
            { title: 'Paid in', cell: ({ balanceChange }) => <OfAvax amount={balanceChange} /> },
            { title: 'Balance', cell: ({ remainingBalance }) => <OfAvax amount={remainingBalance} /> },
          ]}
        />
        <Pager list="changes" title="Changes" ends={changes.pageInfo} />
      </Part>
    </>
  );
}
