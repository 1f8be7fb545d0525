import type { AddressQuery } from '../generated/things/graphql.js';
import { chainListOf, type NetworkName } from '../paths.js';
import { Amount } from './amount.js';
import { CsvButton } from './csv-button.js';
import { TransactionTable } from './lists.js';
import { Pager } from './pager.js';

type Transactions = NonNullable<AddressQuery['address']>['transactions'];
type Effect = Transactions['edges'][number]['effect'];

const chains = { p: 'P-chain', x: 'X-chain', c: 'C-chain' };

/** Whose address it is. */
export interface Owner {
  network: NetworkName;
  address: string;
}

/** Transactions of an address, with what each gave it and took from it, and files of all of each chain. */
export function History({
  network,
  address,
  transactions: { edges, pageInfo },
}: Owner & { transactions: Transactions }) {
  const present = new Set<string>(edges.map(({ node }) => node.blockchainAlias));
  return (
    <>
      <TransactionTable
        rows={edges.map(({ node, effect }) => ({ ...node, effect }))}
        label="Newest transactions of the address"
        more={[
          { title: 'Received', isFigure: true, cell: ({ effect }) => amountsOf(effect, 'received') },
          { title: 'Sent', isFigure: true, cell: ({ effect }) => amountsOf(effect, 'sent') },
        ]}
      />
      <Pager list="transactions" title="Newest transactions" ends={pageInfo} csv="" />
      <div class="pager">
        {Object.entries(chains).map(
          ([chain, title]) =>
            present.has(`${chain}-chain`) && (
              <CsvButton
                key={chain}
                title={`Transactions of the ${title}`}
                path={chainListOf(network, address, chain, 'transactions')}
              >
                {title} as CSV
              </CsvButton>
            ),
        )}
      </div>
    </>
  );
}

const amountsOf = (effect: Effect, side: 'received' | 'sent') =>
  effect?.assets.map(({ asset, [side]: amount }) => (
    <div key={asset.assetId}>
      {amount === null || amount === undefined ? 'not known' : <Amount amount={amount} asset={asset} />}
    </div>
  ));
