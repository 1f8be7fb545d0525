import { aliasesOf, chainName } from '../chains.js';
import type { TxType } from '../generated/graphql.js';
import { TransactionsDocument } from '../generated/others/graphql.js';
import { ChainTabs } from '../components/chain-tabs.js';
import { Filters } from '../components/filters.js';
import { Line } from '../components/sentence.js';
import { Page } from '../components/page.js';
import { Pager } from '../components/pager.js';
import { typeWords } from '../components/types.js';
import { dayFilters, timesOf, useChosen, type Filter } from '../filters.js';
import { usePages } from '../paging.js';
import { networkOf, restList, transactionsPath } from '../paths.js';

/** Types by what they do, in words: several do the same. */
const kinds = new Map<string, TxType[]>();
for (const [type, { short }] of Object.entries(typeWords) as [TxType, { short: string }][])
  kinds.set(short, [...(kinds.get(short) ?? []), type]);
const words = [...kinds.keys()].sort();

const filters = [
  {
    name: 'kind',
    title: 'What they do',
    options: Object.fromEntries(['All', ...words].map((each) => [each, each])),
  },
  ...dayFilters,
] as const satisfies readonly Filter[];

/** The transactions of a chain as sentences, newest first, of a kind and of days. */
export function TransactionsPage({ network: name, chain = '' }: { network?: string; chain?: string }) {
  const network = networkOf(name);
  const { kind, since, until } = useChosen(filters);
  const types = kinds.get(kind);
  const times = timesOf(since, until);
  const variables = { network, chain, types, ...times.graph, ...usePages('transactions') };
  return (
    <Page
      title={`Transactions of the ${chainName(chain)} of ${network}`}
      document={TransactionsDocument}
      variables={variables}
      find={({ transactions, chainStatus }) =>
        transactions && { ...transactions, aliasOf: aliasesOf(chainStatus) }
      }
      addressOf={({ nodes: [first] }) => first && transactionsPath(network, first.blockchainAlias)}
      missing={`No transaction of this chain is indexed on ${network}.`}
    >
      {({ nodes, pageInfo, aliasOf }) => (
        <>
          <ChainTabs
            shown={nodes[0]?.blockchainAlias ?? chain}
            pathOf={(each) => transactionsPath(network, each)}
          />
          <Filters label="Which transactions are shown" filters={filters} />
          {nodes.length === 0 ? (
            <p class="empty">No indexed transaction is like this.</p>
          ) : (
            <ul class="card sentences" aria-label="Transactions">
              {nodes.map((of) => (
                <Line key={of.txHash} of={of} aliasOf={aliasOf} />
              ))}
            </ul>
          )}
          <Pager
            list="transactions"
            title="Transactions"
            ends={pageInfo}
            csv={restList(['networks', network, 'blockchains', chain, 'transactions'], {
              txTypes: types?.join(','),
              ...times.rest,
            })}
          />
        </>
      )}
    </Page>
  );
}
