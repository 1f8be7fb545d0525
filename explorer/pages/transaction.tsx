import { useAnswer } from '../ask.js';
import { transactionDocument } from '../documents.js';
import type { TransactionQuery } from '../generated/graphql.js';
import { Amount } from '../parts/amount.js';
import { Asked, Part, Standing } from '../parts/answer.js';
import { OutputTable, Shown } from '../parts/lists.js';
import { Id, plain, Time } from '../parts/text.js';
import { blockPath, networkOf, validatorPath } from '../paths.js';
import { Flow } from '../picture/flow.js';

interface Place {
  network?: string;
  chain?: string;
  hash?: string;
}

/** A transaction with its picture, and the outputs that it consumed and emitted. */
export function TransactionPage({ network: name, chain = '', hash = '' }: Place) {
  const network = networkOf(name);
  const variables = { network, chain, hash };
  const answer = useAnswer(transactionDocument, variables);
  const transaction = answer.data?.transaction;
  return (
    <>
      <h1>Transaction</h1>
      <p>
        <Id id={hash} />
      </p>
      <Standing answer={answer} />
      {answer.data && !transaction && <p>This transaction is not indexed on {network}.</p>}
      {transaction && (
        <>
          <Facts transaction={transaction} network={network} />
          <Part title="Picture">
            <Flow network={network} consumed={transaction.consumedUtxos} emitted={transaction.emittedUtxos} />
          </Part>
          <Outputs
            title="Outputs consumed"
            without="Spent by"
            network={network}
            outputs={transaction.consumedUtxos}
          />
          <Outputs
            title="Outputs emitted"
            without="Created by"
            network={network}
            outputs={transaction.emittedUtxos}
          />
        </>
      )}
      <Asked document={transactionDocument} variables={variables} />
    </>
  );
}

type Found = NonNullable<TransactionQuery['transaction']>;

function Facts({ transaction, network }: { transaction: Found; network: string }) {
  const { blockchainAlias, blockNumber, memo, nodeId, subnetId, startTimestamp, endTimestamp } = transaction;
  return (
    <dl>
      <dt>Type</dt>
      <dd>{transaction.txType}</dd>
      <dt>Chain</dt>
      <dd>{blockchainAlias}</dd>
      <dt>Block</dt>
      <dd>
        {blockNumber ? (
          <a href={blockPath(network, blockchainAlias, blockNumber)}>{blockNumber}</a>
        ) : (
          'unknown'
        )}
      </dd>
      <dt>Time</dt>
      <dd>
        <Time seconds={transaction.blockTimestamp} />
      </dd>
      <dt>Burned</dt>
      <dd>
        {transaction.amountBurned.map((asset) => (
          <Amount key={asset.assetId} amount={asset.amount} asset={asset} />
        ))}
        {transaction.amountBurned.length === 0 && 'nothing'}
      </dd>
      {nodeId && (
        <>
          <dt>Node</dt>
          <dd>
            <Id id={nodeId} href={validatorPath(network, nodeId)} />
          </dd>
        </>
      )}
      {subnetId && (
        <>
          <dt>Subnet</dt>
          <dd>
            <Id id={subnetId} />
          </dd>
        </>
      )}
      {startTimestamp && (
        <>
          <dt>Stakes</dt>
          <dd>
            <Time seconds={startTimestamp} /> to <Time seconds={endTimestamp} />
          </dd>
        </>
      )}
      {memo && memo !== '0x' && (
        <>
          <dt>Memo</dt>
          <dd class="memo">{plain(memo).slice(0, 600)}</dd>
        </>
      )}
    </dl>
  );
}

function Outputs({
  title,
  network,
  without,
  outputs: { nodes, totalCount, totalCountIsExact },
}: {
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
    </Part>
  );
}
