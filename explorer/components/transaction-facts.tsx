import type { AliasOf } from '../chains.js';
import { blockchainPath, blockPath, subnetPath, validatorPath, vertexPath } from '../paths.js';
import { Amount } from './amount.js';
import { ChainBadge, TypeBadge } from './badge.js';
import { EvmAddress } from './evm-address.js';
import { Facts } from './facts.js';
import { Owners } from './lists.js';
import { PRIMARY_NETWORK } from './sentence-links.js';
import { Memo } from './memo.js';
import { Amounts, Decided, type Found } from './stake-facts.js';
import { Table } from './table.js';
import { grouped, Id, Name, plain, Time } from './text.js';

/** The address of the transaction as REST gives it. */
const restPath = ({ network, blockchainAlias, txHash }: Found) =>
  `/v1/networks/${network}/blockchains/${blockchainAlias}/transactions/${encodeURIComponent(txHash)}`;

/** The primary network has an id of zeros, which says nothing to people. */
const SubnetId = ({ id, network }: { id: string; network: string }) => (
  <>
    {id === PRIMARY_NETWORK && 'Primary network '}
    <Id id={id} href={subnetPath(network, id)} whole={id !== PRIMARY_NETWORK} />
  </>
);

/** What every type says of a transaction, and where it goes. */
export function TransactionFacts({ of, aliasOf }: { of: Found; aliasOf: AliasOf }) {
  const { network, blockchainAlias: chain, blockNumber, nodeId, subnetId, memo } = of;
  const vertices = of.vertices.nodes;
  const end = (id: string | null | undefined) =>
    id ? <ChainBadge chain={aliasOf(id)} isNamed /> : undefined;
  return (
    <Facts
      facts={[
        [
          'Type',
          <>
            <TypeBadge type={of.txType} /> <code>{plain(of.chainTxType ?? of.txType)}</code>
          </>,
        ],
        ['Chain', <ChainBadge chain={chain} isNamed />],
        [
          'Block',
          blockNumber ? (
            <>
              <a href={blockPath(network, chain, blockNumber)}>{grouped(blockNumber)}</a>{' '}
              <Decided block={of.block} />
            </>
          ) : // Before the X-chain had blocks it had vertices.
          vertices.length > 0 ? undefined : null,
        ],
        [
          'Vertex',
          vertices.length > 0
            ? vertices.map(({ vertexHash }) => (
                <div key={vertexHash}>
                  <Id id={vertexHash} href={vertexPath(network, vertexHash)} />
                </div>
              ))
            : undefined,
        ],
        ['Time', <Time seconds={of.blockTimestamp} withUtc />],
        ['Fee, burned', of.amountBurned.length === 0 ? 'nothing' : <Amounts of={of.amountBurned} />],
        ['Sum of new outputs', of.value.length === 0 ? 'nothing' : <Amounts of={of.value} />],
        [
          'For L1 balances',
          of.amountL1ValidatorBalanceBurned.length > 0 ? (
            <Amounts of={of.amountL1ValidatorBalanceBurned} />
          ) : undefined,
        ],
        ['Source chain', end(of.sourceChain)],
        ['Destination chain', end(of.destinationChain)],
        ['Node', nodeId ? <Id id={nodeId} href={validatorPath(network, nodeId)} /> : undefined],
        ['Subnet', subnetId ? <SubnetId id={subnetId} network={network} /> : undefined],
        ['Memo', memo && memo !== '0x' ? <Memo hex={memo} /> : undefined],
        ['As JSON', <a href={restPath(of)}>the reply of REST</a>],
      ]}
    />
  );
}

/** What a transaction says of a blockchain, an L1, owners or a key. */
export function MoreFacts({ of }: { of: Found }) {
  const { network, blsCredentials: key, blockchainInfo, subnetOwnershipInfo: owners } = of;
  const manager = of.l1ValidatorManagerDetails;
  const evm = of.createdEvmChainId;
  return (
    <Facts
      facts={[
        ['BLS key', key ? <Id id={key.publicKey} /> : undefined],
        ['Proof of possession', key ? <Id id={key.proofOfPossession} whole={false} /> : undefined],
        ['Name', blockchainInfo ? <Name text={blockchainInfo.chainName} /> : undefined],
        [
          'Blockchain id',
          blockchainInfo ? <Id id={of.txHash} href={blockchainPath(network, of.txHash)} /> : undefined,
        ],
        ['Virtual machine', blockchainInfo ? <Id id={blockchainInfo.vmId} /> : undefined],
        ['EVM chain', evm ? <a href={blockchainPath(network, of.txHash)}>{evm}</a> : undefined],
        [
          'Manager',
          manager ? (
            <EvmAddress address={manager.contractAddress} chain={manager.chain} network={network} />
          ) : undefined,
        ],
        [
          'On blockchain',
          manager ? (
            <Id id={manager.blockchainId} href={blockchainPath(network, manager.blockchainId)} />
          ) : undefined,
        ],
        [
          'Owners',
          owners ? (
            <Owners addresses={owners.addresses} threshold={owners.threshold} network={network} />
          ) : undefined,
        ],
        [
          'Owners act from',
          owners && Number(owners.locktime) > 0 ? <Time seconds={owners.locktime} /> : undefined,
        ],
      ]}
    />
  );
}

type EvmAmount = NonNullable<Found['evmInputs']>[number];

/** What accounts of the C-chain gave or got. */
export function EvmAmounts({
  rows,
  of,
  evm,
  label,
}: {
  rows: readonly EvmAmount[];
  of: Found;
  /** The C-chain as an EVM chain; null where it is not indexed. */
  evm: Found['sourceEvmChain'];
  label: string;
}) {
  const known = [...of.value, ...of.amountBurned, ...of.consumedUtxos.nodes.map(({ asset }) => asset)];
  return (
    <Table
      label={label}
      rows={rows}
      keyOf={({ address, assetId }) => `${address} ${assetId}`}
      columns={[
        {
          title: 'Amount',
          isFigure: true,
          cell: ({ amount, assetId }) => {
            const asset = known.find((each) => each.assetId === assetId);
            return asset ? <Amount amount={amount} asset={asset} /> : `${amount} smallest units`;
          },
        },
        {
          title: 'Account',
          cell: ({ address }) => <EvmAddress address={address} chain={evm} network={of.network} />,
        },
      ]}
    />
  );
}
