import type { ChainCreationFragment, ChainLineFragment } from '../generated/others/graphql.js';
import { blockchainPath, evmChainPath } from '../paths.js';
import { Badge } from './badge.js';
import { Table } from './table.js';
import { Age, Id, Name } from './text.js';

/** The page of a blockchain: that of an EVM chain, if it is indexed as one. */
export const pathOfChain = (
  network: string,
  blockchain: string,
  evm: { chainId: string } | null | undefined,
) => (evm && evmChainPath(network, evm.chainId)) ?? blockchainPath(network, blockchain);

/** EVM chains that are indexed. */
export function ChainTable({ rows, network }: { rows: readonly ChainLineFragment[]; network: string }) {
  return (
    <Table
      label="EVM chains"
      none="No EVM chain is indexed here."
      rows={rows}
      keyOf={({ chainId }) => chainId}
      columns={[
        {
          title: 'Chain',
          cell: ({ chainId, chainName }) => (
            <span class="wraps">
              <a href={evmChainPath(network, chainId)}>
                <Name text={chainName || chainId} />
              </a>
            </span>
          ),
        },
        { title: 'EVM chain id', isFigure: true, cell: ({ chainId }) => chainId },
        { title: 'Coin', cell: ({ networkToken }) => <Name text={networkToken.symbol} /> },
        {
          title: 'State',
          cell: ({ status }) => (
            <Badge tone={status === 'OK' ? 'is-spendable' : 'is-bad'}>
              {status === 'OK' ? 'available' : 'not available'}
            </Badge>
          ),
        },
        {
          title: 'Blockchain id',
          cell: ({ blockchainId }) => (blockchainId ? <Id id={blockchainId} /> : 'not known'),
        },
      ]}
    />
  );
}

/** Blockchains of a subnet, by what created them. */
export function CreationTable({
  rows,
  network,
}: {
  rows: readonly ChainCreationFragment[];
  network: string;
}) {
  return (
    <Table
      label="Blockchains"
      none="No transaction that created a blockchain here is indexed."
      rows={rows}
      keyOf={({ txHash }) => txHash}
      columns={[
        {
          title: 'Blockchain',
          cell: (of) => (
            <span class="wraps">
              <ChainName of={of} network={network} />
            </span>
          ),
        },
        {
          title: 'EVM chain id',
          isFigure: true,
          cell: ({ createdEvmChainId }) => createdEvmChainId ?? <span class="unknown">–</span>,
        },
        { title: 'Created', cell: ({ blockTimestamp }) => <Age seconds={blockTimestamp} /> },
        {
          title: 'Blockchain id',
          cell: ({ txHash }) => <Id id={txHash} href={blockchainPath(network, txHash)} />,
        },
        {
          title: 'Virtual machine',
          cell: ({ blockchainInfo }) => (blockchainInfo ? <Id id={blockchainInfo.vmId} /> : 'not known'),
        },
      ]}
    />
  );
}

/** A blockchain by its name, with a link to its page. */
export const ChainName = ({
  of: { txHash, blockchainInfo },
  network,
}: {
  of: ChainCreationFragment;
  network: string;
}) => (
  <a href={pathOfChain(network, txHash, blockchainInfo?.chain)}>
    <Name text={blockchainInfo?.chainName || txHash} />
  </a>
);
