import type { NftPageFragment } from '../generated/others/graphql.js';
import { evmAddressPath, nftCollectionPath, nftTokenPath } from '../paths.js';
import { Pager } from './pager.js';
import { Table } from './table.js';
import { Age, Id, Name } from './text.js';

/** How a token's metadata are, for people. */
export const metadataOf = (status: string) =>
  ({
    NONE: 'never read',
    QUEUED: 'waiting to be read',
    RUNNING: 'being read',
    DONE: 'read',
    FAILED: 'could not be read',
  })[status] ?? status;

export const standardOf = (standard: string) => standard.replace('_', '-');

/** NFTs by name: their pictures are on other hosts, and are not fetched. */
export function Nfts({
  list,
  page,
  network,
  chain,
  csv,
  without = [],
}: {
  list: string;
  page: NftPageFragment;
  network: string;
  /** EVM chain id. */
  chain: string;
  /** The list in the REST API. */
  csv?: string;
  /** Titles of columns that say the same in each row. */
  without?: readonly string[];
}) {
  type Row = NftPageFragment['nodes'][number];
  const columns = [
    {
      title: 'Token',
      cell: ({ address, tokenId }: Row) => (
        <Id id={tokenId} href={nftTokenPath(network, chain, address, tokenId)} />
      ),
    },
    {
      title: 'Name',
      cell: ({ metadata, metadataStatus }: Row) =>
        metadata?.name ? <Name text={metadata.name} /> : `metadata ${metadataOf(metadataStatus)}`,
    },
    {
      title: 'Collection',
      cell: ({ address }: Row) => <Id id={address} href={nftCollectionPath(network, chain, address)} />,
    },
    {
      title: 'Standard',
      cell: ({ metadata }: Row) => (metadata ? standardOf(metadata.standard) : 'not known'),
    },
    {
      title: 'Owner',
      cell: ({ owner }: Row) =>
        owner ? <Id id={owner} href={evmAddressPath(network, chain, owner)} /> : 'no single owner known',
    },
    {
      title: 'Received',
      cell: ({ lastTransferTimestamp }: Row) => <Age seconds={lastTransferTimestamp} />,
    },
  ];
  // What is known of no row would be said in each.
  const isRead = page.nodes.some(({ metadata }) => metadata);
  const left = isRead ? without : [...without, 'Name', 'Standard'];
  return (
    <>
      {!isRead && page.nodes.length > 0 && (
        <p>No names are known: the metadata of these NFTs are not read.</p>
      )}
      <Table
        label="NFTs"
        none="No NFT is indexed here."
        rows={page.nodes}
        keyOf={({ address, tokenId }) => `${address} ${tokenId}`}
        columns={columns.filter(({ title }) => !left.includes(title))}
      />
      <Pager list={list} title="NFTs" ends={page.pageInfo} csv={page.nodes.length > 0 ? csv : undefined} />
    </>
  );
}
