import { BlockchainDocument, type BlockchainQuery } from '../generated/others/graphql.js';
import { Part } from '../components/answer.js';
import { Facts } from '../components/facts.js';
import { Genesis } from '../components/genesis.js';
import { Page } from '../components/page.js';
import { Age, Id, Name } from '../components/text.js';
import { blocksPath, evmChainPath, networkOf, subnetPath, transactionPath } from '../paths.js';

/** A blockchain that is neither an indexed EVM chain nor of the primary network: what its creation says. */
export function BlockchainPage({
  network: name,
  blockchain = '',
}: {
  network?: string;
  blockchain?: string;
}) {
  const network = networkOf(name);
  const addressOf = ({ chain, chainStatus }: BlockchainQuery) => {
    const primary = chainStatus?.find(({ blockchainId }) => blockchainId === blockchain);
    if (chain) return evmChainPath(network, chain.chainId);
    return primary && blocksPath(network, primary.blockchainAlias);
  };
  return (
    <Page
      title="Blockchain"
      id={blockchain}
      document={BlockchainDocument}
      variables={{ network, blockchain }}
      find={(data) => ((addressOf(data) ?? data.transaction?.blockchainInfo) ? data : undefined)}
      heading={({ transaction }) => <Name text={transaction?.blockchainInfo?.chainName ?? 'Blockchain'} />}
      addressOf={addressOf}
      missing={`No indexed transaction of ${network} created this blockchain.`}
    >
      {(found) => <Found found={found} network={network} />}
    </Page>
  );
}

function Found({ found: { transaction }, network }: { found: BlockchainQuery; network: string }) {
  const info = transaction?.blockchainInfo;
  if (!transaction || !info) return null;
  const { txHash, blockTimestamp, subnetId } = transaction;
  return (
    <>
      <Facts
        facts={[
          ['Subnet', subnetId ? <Id id={subnetId} href={subnetPath(network, subnetId)} /> : null],
          ['Virtual machine', <Id id={info.vmId} />],
          [
            'Created',
            <>
              <Age seconds={blockTimestamp} /> by{' '}
              <Id id={txHash} href={transactionPath(network, 'p-chain', txHash)} />
            </>,
          ],
        ]}
      />
      <p>Its blocks and transactions are not indexed here.</p>
      <Part title="Genesis">
        <Genesis info={info} />
      </Part>
    </>
  );
}
