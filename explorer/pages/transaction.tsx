import { TransactionDocument, type TransactionQuery } from '../generated/graphql.js';
import { Amount } from '../components/amount.js';
import { Part } from '../components/answer.js';
import { Facts } from '../components/facts.js';
import { OutputTable, Shown } from '../components/lists.js';
import { Page } from '../components/page.js';
import { Pager } from '../components/pager.js';
import { Id, plain, Time } from '../components/text.js';
import { usePages } from '../paging.js';
import {
  blockPath,
  l1ValidatorPath,
  networkOf,
  subnetPath,
  transactionPath,
  validatorPath,
} from '../paths.js';
import { Expandable } from '../picture/expandable.js';

/** How many changed L1 validators of a transaction are named. */
const SHOWN_VALIDATORS = 10;

interface PageParams {
  network?: string;
  chain?: string;
  hash?: string;
}

/** A transaction with its picture, and the outputs that it consumed and emitted. */
export function TransactionPage({ network: name, chain = '', hash = '' }: PageParams) {
  const network = networkOf(name);
  const variables = { network, chain, hash, ...usePages('consumed', 'emitted') };
  return (
    <Page
      title="Transaction"
      id={hash}
      document={TransactionDocument}
      variables={variables}
      find={({ transaction }) => transaction}
      addressOf={(found) => transactionPath(network, found.blockchainAlias, found.txHash)}
      missing={`This transaction is not indexed on ${network}.`}
    >
      {(found) => (
        <>
          <TransactionFacts transaction={found} network={network} />
          <Part title="Picture">
            <Expandable
              network={network}
              chain={found.blockchainAlias}
              hash={found.txHash}
              consumed={found.consumedUtxos}
              emitted={found.emittedUtxos}
            />
          </Part>
          <Outputs
            list="consumed"
            title="Outputs consumed"
            without="Spent by"
            network={network}
            outputs={found.consumedUtxos}
          />
          <Outputs
            list="emitted"
            title="Outputs emitted"
            without="Created by"
            network={network}
            outputs={found.emittedUtxos}
          />
        </>
      )}
    </Page>
  );
}

type Found = NonNullable<TransactionQuery['transaction']>;

function TransactionFacts({ transaction, network }: { transaction: Found; network: string }) {
  const { blockchainAlias: chain, blockNumber, memo, nodeId, subnetId, startTimestamp } = transaction;
  const other = (hash: string | null | undefined) =>
    hash ? <Id id={hash} href={transactionPath(network, chain, hash)} /> : undefined;
  return (
    <Facts
      facts={[
        ['Type', transaction.txType],
        ['Chain', chain],
        ['Block', blockNumber ? <a href={blockPath(network, chain, blockNumber)}>{blockNumber}</a> : null],
        ['Time', <Time seconds={transaction.blockTimestamp} withUtc />],
        [
          'Burned',
          transaction.amountBurned.length === 0
            ? 'nothing'
            : transaction.amountBurned.map((asset) => (
                <Amount key={asset.assetId} amount={asset.amount} asset={asset} />
              )),
        ],
        ['Node', nodeId ? <Id id={nodeId} href={validatorPath(network, nodeId)} /> : undefined],
        ['Subnet', subnetId ? <Id id={subnetId} href={subnetPath(network, subnetId)} /> : undefined],
        [
          'Stakes',
          startTimestamp ? (
            <>
              <Time seconds={startTimestamp} /> to <Time seconds={transaction.endTimestamp} />
            </>
          ) : undefined,
        ],
        ['Stake ended by', other(transaction.rewardTxHash)],
        ['Ends the stake of', other(transaction.stakingTxHash)],
        ['L1 validators', validatorsOf(transaction, network)],
        ['Memo', memo && memo !== '0x' ? <span class="memo">{plain(memo).slice(0, 600)}</span> : undefined],
      ]}
    />
  );
}

function validatorsOf({ l1ValidatorDetails }: Found, network: string) {
  if (!l1ValidatorDetails?.length) return undefined;
  const more = l1ValidatorDetails.length - SHOWN_VALIDATORS;
  return (
    <>
      {l1ValidatorDetails.slice(0, SHOWN_VALIDATORS).map(({ validationId }) => (
        <Id key={validationId} id={validationId} href={l1ValidatorPath(network, validationId)} />
      ))}
      {more > 0 && ` and ${more} more`}
    </>
  );
}

function Outputs({
  list,
  title,
  network,
  without,
  outputs: { nodes, totalCount, totalCountIsExact, pageInfo },
}: {
  list: string;
  title: string;
  network: string;
  /** The column that names this transaction. */
  without: string;
  outputs: Found['emittedUtxos'];
}) {
  return (
    <Part title={title}>
      <Shown shown={nodes.length} total={totalCount} isExact={totalCountIsExact} />
      <OutputTable rows={nodes} network={network} label={title} without={[without]} />
      <Pager list={list} title={title} ends={pageInfo} />
    </Part>
  );
}
