import { useLocation } from 'preact-iso';
import { AssetDocument, type AssetQuery } from '../generated/graphql.js';
import { Amount } from '../components/amount.js';
import { Part } from '../components/answer.js';
import { Facts } from '../components/facts.js';
import { TransactionTable } from '../components/lists.js';
import { Page } from '../components/page.js';
import { Pager } from '../components/pager.js';
import { Table } from '../components/table.js';
import { Id, Name } from '../components/text.js';
import { usePages } from '../paging.js';
import { addressPath, assetPath, networkOf } from '../paths.js';

const chains = { 'p-chain': 'P-chain', 'x-chain': 'X-chain', 'c-chain': 'C-chain' } as const;
const isChain = (name: string | undefined): name is keyof typeof chains => Object.hasOwn(chains, name ?? '');

/** An asset and its holders on one chain, which `?chain=` names; if omitted, the X-chain. */
export function AssetPage({ network: name, asset = '' }: { network?: string; asset?: string }) {
  const network = networkOf(name);
  const { query } = useLocation();
  const chain = isChain(query['chain']) ? query['chain'] : 'x-chain';
  const variables = { network, asset, chain, ...usePages('holders') };
  return (
    <Page
      title="Asset"
      id={asset}
      document={AssetDocument}
      variables={variables}
      find={(data) => data.asset}
      addressOf={(found) => assetPath(network, found.assetId)}
      missing={`This asset is not indexed on ${network}.`}
    >
      {(found) => <Found asset={found} network={network} chain={chain} />}
    </Page>
  );
}

function Found({
  asset,
  network,
  chain,
}: {
  asset: NonNullable<AssetQuery['asset']>;
  network: string;
  chain: keyof typeof chains;
}) {
  const { path } = useLocation();
  const title = `Holders on the ${chains[chain]}`;
  return (
    <>
      <Facts
        facts={[
          ['Name', asset.name ? <Name text={asset.name} /> : null],
          ['Symbol', asset.symbol ? <Name text={asset.symbol} /> : null],
          ['Type', asset.type],
          ['Decimals', asset.denomination],
        ]}
      />
      <Part title="Created by">
        <TransactionTable
          rows={asset.creatingTransaction ? [asset.creatingTransaction] : []}
          label="The transaction that created the asset"
        />
      </Part>
      <Part title={title}>
        <p>
          Chain:{' '}
          {Object.entries(chains).map(([alias, label]) => (
            <>
              <a href={`${path}?chain=${alias}`} aria-current={alias === chain ? 'true' : undefined}>
                {label}
              </a>{' '}
            </>
          ))}
        </p>
        <Table
          label={title}
          none="No holder is indexed."
          rows={asset.holders.nodes}
          keyOf={({ address: { address } }) => address}
          columns={[
            {
              title: 'Address',
              cell: ({ address: { address } }) => <Id id={address} href={addressPath(network, address)} />,
            },
            { title: 'Holds', cell: ({ unspent }) => <Amount amount={unspent} asset={asset} /> },
          ]}
        />
        <Pager list="holders" title={title} ends={asset.holders.pageInfo} />
      </Part>
    </>
  );
}
