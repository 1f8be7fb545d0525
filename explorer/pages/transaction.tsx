import { aliasesOf, type AliasOf } from '../chains.js';
import { TransactionDocument, type TransactionQuery } from '../generated/things/graphql.js';
import { Part } from '../components/answer.js';
import { OutputTable, Shown } from '../components/lists.js';
import { Page } from '../components/page.js';
import { Pager } from '../components/pager.js';
import { Sentence } from '../components/sentence.js';
import { StakeFacts, type Found } from '../components/stake-facts.js';
import { EvmAmounts, MoreFacts, TransactionFacts } from '../components/transaction-facts.js';
import { part } from '../part.js';
import { usePages } from '../paging.js';
import { networkOf, transactionPath } from '../paths.js';
import { Expandable } from '../picture/expandable.js';

const ChangedValidators = part('ChangedValidators');
const Genesis = part('Genesis');
const SubnetRules = part('SubnetRules');

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
      heading={({ transaction, aliasOf }) => <Sentence of={transaction} aliasOf={aliasOf} />}
      id={hash}
      document={TransactionDocument}
      variables={variables}
      find={found}
      addressOf={({ transaction: { blockchainAlias, txHash } }) =>
        transactionPath(network, blockchainAlias, txHash)
      }
      missing={`This transaction is not indexed on ${network}.`}
    >
      {({ transaction, aliasOf }) => <Shows of={transaction} aliasOf={aliasOf} />}
    </Page>
  );
}

const found = ({ transaction, chainStatus }: TransactionQuery) =>
  transaction && { transaction, aliasOf: aliasesOf(chainStatus) };

function Shows({ of, aliasOf }: { of: Found; aliasOf: AliasOf }) {
  const { blockchainAlias: chain, txHash, l1ValidatorDetails, evmInputs, evmOutputs } = of;
  const network = networkOf(of.network);
  return (
    <>
      <TransactionFacts of={of} aliasOf={aliasOf} />
      <StakeFacts of={of} network={network} />
      <MoreFacts of={of} />
      {of.subnetTransformation && (
        <Part title="Rules of the subnet">
          <SubnetRules of={of.subnetTransformation} network={network} />
        </Part>
      )}
      {of.blockchainInfo && (
        <Part title="Genesis">
          <Genesis info={of.blockchainInfo} />
        </Part>
      )}
      {l1ValidatorDetails?.length ? (
        <Part title="L1 validators after it">
          <ChangedValidators of={of} />
        </Part>
      ) : null}
      <Part title="Picture">
        <Expandable
          key={txHash}
          network={network}
          chain={chain}
          hash={txHash}
          aliasOf={aliasOf}
          consumed={of.consumedUtxos}
          emitted={of.emittedUtxos}
        />
      </Part>
      {evmInputs?.length ? (
        <Part title="Taken from accounts">
          <EvmAmounts rows={evmInputs} of={of} evm={of.sourceEvmChain} label="Taken from accounts" />
        </Part>
      ) : null}
      {/* An export of the C-chain takes from accounts instead. */}
      {(of.consumedUtxos.totalCount > 0 || !evmInputs?.length) && (
        <Outputs
          list="consumed"
          title="Outputs consumed"
          without="State"
          network={network}
          aliasOf={aliasOf}
          outputs={of.consumedUtxos}
        />
      )}
      {evmOutputs?.length ? (
        <Part title="Given to accounts">
          <EvmAmounts rows={evmOutputs} of={of} evm={of.destinationEvmChain} label="Given to accounts" />
        </Part>
      ) : null}
      <Outputs
        list="emitted"
        title="Outputs emitted"
        without="Created by"
        network={network}
        aliasOf={aliasOf}
        outputs={of.emittedUtxos}
      />
    </>
  );
}

function Outputs({
  list,
  title,
  network,
  aliasOf,
  without,
  outputs: { nodes, totalCount, totalCountIsExact, pageInfo },
}: {
  list: string;
  title: string;
  network: string;
  aliasOf: AliasOf;
  /** The column that names this transaction. */
  without: string;
  outputs: Found['consumedUtxos'];
}) {
  return (
    <Part title={title}>
      <Shown shown={nodes.length} total={totalCount} isExact={totalCountIsExact} />
      <OutputTable rows={nodes} network={network} aliasOf={aliasOf} label={title} without={[without]} />
      {/* The few outputs of most transactions are in its JSON too. */}
      <Pager
        list={list}
        title={title}
        ends={pageInfo}
        csv={pageInfo.hasNextPage || pageInfo.hasPreviousPage ? undefined : ''}
      />
    </Part>
  );
}
