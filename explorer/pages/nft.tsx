import {
  NftCollectionDocument,
  NftTokenDocument,
  type NftCollectionQuery,
  type NftTokenQuery,
} from '../generated/others/graphql.js';
import { Part } from '../components/answer.js';
import { Facts } from '../components/facts.js';
import { metadataOf, Nfts, standardOf } from '../components/nfts.js';
import { Page } from '../components/page.js';
import { Pager } from '../components/pager.js';
import { Table } from '../components/table.js';
import { Age, grouped, Id, Name, plain, Time } from '../components/text.js';
import { usePages } from '../paging.js';
import {
  evmAddressPath,
  evmChainPath,
  evmTransactionPath,
  networkOf,
  networkOfEvm,
  nftCollectionPath,
  nftTokenPath,
  restList,
} from '../paths.js';

/** How many traits, and how many characters of texts that others wrote, are shown. */
const SHOWN_TRAITS = 50;
const SHOWN_CHARACTERS = 600;

interface PageParams {
  network?: string;
  evm?: string;
  collection?: string;
  token?: string;
}

/** A collection of NFTs: its tokens and its owners. */
export function NftCollectionPage({ network: name, evm = '', collection = '' }: PageParams) {
  const network = networkOf(name);
  return (
    <Page
      title="NFT collection"
      id={collection}
      document={NftCollectionDocument}
      variables={{ evm, collection, ...usePages('tokens', 'owners') }}
      find={({ nftCollection }) => nftCollection}
      addressOf={(it) => nftCollectionPath(networkOfEvm(it.chain, network), it.chainId, it.address)}
      missing="Neither tokens nor owners of this collection are indexed."
    >
      {(found) => (
        <>
          <Facts facts={[['Chain', <Chain of={found} network={network} />]]} />
          <Part title="NFTs">
            <Nfts
              list="tokens"
              page={found.tokens}
              network={network}
              chain={found.chainId}
              csv={restList(['chains', evm, 'nfts', 'collections', collection, 'tokens'])}
              without={['Collection']}
            />
          </Part>
          <Part title="Owners with most NFTs">
            <Owners owners={found.owners} network={network} chain={found.chainId} />
          </Part>
        </>
      )}
    </Page>
  );
}

type Collection = NonNullable<NftCollectionQuery['nftCollection']>;

function Chain({ of, network }: { of: Pick<Collection, 'chain' | 'chainId'>; network: string }) {
  const { chain, chainId } = of;
  return (
    <a href={evmChainPath(network, chainId)}>
      <Name text={chain?.chainName || chainId} />
    </a>
  );
}

function Owners({
  owners: { nodes, pageInfo },
  network,
  chain,
}: {
  owners: Collection['owners'];
  network: string;
  chain: string;
}) {
  return (
    <>
      <Table
        label="Owners"
        none="No counts of owners are imported; the owners of single tokens are in the list above."
        rows={nodes}
        keyOf={({ address }) => address}
        columns={[
          {
            title: 'Owner',
            cell: ({ address }) => <Id id={address} href={evmAddressPath(network, chain, address)} />,
          },
          { title: 'NFTs', isFigure: true, cell: ({ tokenCount }) => grouped(tokenCount) },
          { title: 'Since', cell: ({ since }) => <Age seconds={since} /> },
        ]}
      />
      <Pager list="owners" title="Owners" ends={pageInfo} />
    </>
  );
}

type Token = NonNullable<NftTokenQuery['nftToken']>;

/** An NFT: its owner, its last transfer, what others wrote about it. Its picture is not fetched. */
export function NftTokenPage({ network: name, evm = '', collection = '', token = '' }: PageParams) {
  const network = networkOf(name);
  return (
    <Page
      title="NFT"
      id={token}
      document={NftTokenDocument}
      variables={{ evm, collection, token }}
      find={({ nftToken }) => nftToken}
      addressOf={(it) => nftTokenPath(networkOfEvm(it.chain, network), it.chainId, it.address, it.tokenId)}
      missing="This NFT is not indexed."
    >
      {(found) => (
        <>
          <Facts facts={tokenFacts(found, network)} />
          <Part title="Metadata">
            <Metadata token={found} />
          </Part>
        </>
      )}
    </Page>
  );
}

function tokenFacts(found: Token, network: string) {
  const { address, chainId, owner, lastTransferTxHash } = found;
  return [
    ['Chain', <Chain of={found} network={network} />],
    ['Collection', <Id id={address} href={nftCollectionPath(network, chainId, address)} />],
    [
      'Owner',
      owner ? <Id id={owner} href={evmAddressPath(network, chainId, owner)} /> : 'no single owner known',
    ],
    [
      'Last transferred by',
      lastTransferTxHash ? (
        <Id id={lastTransferTxHash} href={evmTransactionPath(network, chainId, lastTransferTxHash)} />
      ) : null,
    ],
    ['At', <Time seconds={found.lastTransferTimestamp} withUtc />],
    ['In block', found.lastTransferBlock ? grouped(found.lastTransferBlock) : null],
  ] as const;
}

const shortened = (text: string) => plain(text.slice(0, SHOWN_CHARACTERS));

function Metadata({ token: { metadata, metadataStatus, failureReason } }: { token: Token }) {
  const reason = failureReason && ` (${shortened(failureReason)})`;
  if (!metadata)
    return (
      <p>
        Its metadata are not known: {metadataOf(metadataStatus)}
        {reason}.
      </p>
    );
  const { name, description, standard, image, address, fetchedAt, attributes } = metadata;
  const more = attributes.length - SHOWN_TRAITS;
  return (
    <>
      <p>Somebody else wrote them. Pictures are on other hosts and are not loaded.</p>
      <Facts
        facts={[
          ['Name', name ? <Name text={name} /> : null],
          ['Description', description ? shortened(description) : null],
          ['Standard', standardOf(standard)],
          ['Picture', image ? <Id id={shortened(image)} /> : null],
          ['Document', <Id id={shortened(address)} />],
          ['Read at', <Time seconds={fetchedAt} withUtc />],
          ['Newest reading', `${metadataOf(metadataStatus)}${reason ?? ''}`],
        ]}
      />
      <Table
        label="Traits"
        none="It has no traits."
        rows={attributes.slice(0, SHOWN_TRAITS).map((trait, index) => ({ ...trait, index }))}
        keyOf={({ index }) => String(index)}
        columns={[
          { title: 'Trait', cell: ({ traitType }) => (traitType ? <Name text={traitType} /> : 'not named') },
          { title: 'Value', cell: ({ value }) => (value ? <Name text={value} /> : 'none') },
        ]}
      />
      {more > 0 && <p>{more.toLocaleString('en')} more are left out.</p>}
    </>
  );
}
