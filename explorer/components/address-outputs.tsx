import { AddressOutputsDocument, type AddressOutputsQuery } from '../generated/others/graphql.js';
import { usePages } from '../paging.js';
import { chainListOf } from '../paths.js';
import { Also } from './also.js';
import type { Owner } from './history.js';
import { OutputTable, Shown } from './lists.js';
import { Pager } from './pager.js';

const chains = [
  ['p', 'P-chain'],
  ['x', 'X-chain'],
  ['c', 'C-chain'],
] as const;

/** Outputs of an address, spent or not, by chain. */
export function AddressOutputs({ network, address }: Owner) {
  const variables = { network, address, ...usePages('p', 'x', 'c') };
  return (
    <Also
      title="Outputs"
      document={AddressOutputsDocument}
      variables={variables}
      find={(data) => data.address}
    >
      {(found) =>
        chains.map(([list, title]) => (
          <OutputsOfChain
            key={list}
            list={list}
            title={`Outputs of the ${title}`}
            csv={chainListOf(network, address, list, 'utxos', { includeSpent: 'true' })}
            network={network}
            outputs={found[list]}
          />
        ))
      }
    </Also>
  );
}

function OutputsOfChain({
  list,
  title,
  csv,
  network,
  outputs: { nodes, totalCount, totalCountIsExact, pageInfo },
}: {
  list: string;
  title: string;
  csv: string;
  network: string;
  outputs: NonNullable<AddressOutputsQuery['address']>['p'];
}) {
  return (
    <section>
      <h3>{title}</h3>
      <Shown shown={nodes.length} total={totalCount} isExact={totalCountIsExact} />
      <OutputTable
        rows={nodes}
        network={network}
        label={title}
        without={nodes.every(({ addresses }) => addresses.length === 1) ? ['Owners'] : []}
      />
      <Pager list={list} title={title} ends={pageInfo} csv={nodes.length > 0 ? csv : undefined} />
    </section>
  );
}
