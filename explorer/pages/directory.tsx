import {
  EvmChainsDocument,
  MessagesDocument,
  VerticesDocument,
  type IcmStatus,
} from '../generated/others/graphql.js';
import { ChainTable } from '../components/chains.js';
import { Filters } from '../components/filters.js';
import { Messages, statusOf } from '../components/messages.js';
import { Page } from '../components/page.js';
import { Pager } from '../components/pager.js';
import { VertexTable } from '../components/vertices.js';
import { useChosen, written, type Filter } from '../filters.js';
import { usePages } from '../paging.js';
import { directories, networkOf, restList } from '../paths.js';

interface PageParams {
  network?: string;
}

/** What every page of all things of a kind has. */
const directory = (kind: keyof typeof directories, network: string) => ({
  title: `${directories[kind]} of ${network}`,
  missing: `Nothing of ${network} is indexed.`,
});

const chainForm = { title: 'An EVM chain id, or the id of a blockchain' };
const messageFilters = [
  {
    name: 'status',
    title: 'Status',
    options: {
      all: 'All',
      pending: statusOf('pending'),
      delivered: statusOf('delivered'),
      delivered_source_not_indexed: statusOf('delivered_source_not_indexed'),
    },
  },
  { name: 'from', title: 'From chain', check: chainForm },
  { name: 'to', title: 'To chain', check: chainForm },
] as const satisfies readonly Filter[];

export function MessagesPage({ network: name }: PageParams) {
  const network = networkOf(name);
  const { status, from, to } = useChosen(messageFilters);
  const variables = {
    network,
    status: status === 'all' ? undefined : (status as IcmStatus),
    source: written(from),
    destination: written(to),
    ...usePages('messages'),
  };
  const csv = restList(['icm', 'messages'], {
    network,
    sourceBlockchainId: written(from),
    destinationBlockchainId: written(to),
  });
  return (
    <Page
      {...directory('messages', network)}
      document={MessagesDocument}
      variables={variables}
      find={({ icmMessages }) => icmMessages}
    >
      {(page) => (
        <>
          <Filters label="Which messages are shown" filters={messageFilters} />
          <Messages
            page={page}
            network={network}
            // The REST API does not narrow messages by their status.
            csv={status === 'all' ? csv : undefined}
          />
        </>
      )}
    </Page>
  );
}

const vertexFilters = [
  {
    name: 'height',
    title: 'Height',
    check: { pattern: String.raw`\d+`, inputMode: 'numeric', title: 'Digits' },
  },
] as const satisfies readonly Filter[];

/** Vertices of the X-chain, which had them before it had blocks. */
export function VerticesPage({ network: name }: PageParams) {
  const network = networkOf(name);
  const { height } = useChosen(vertexFilters);
  const list = ['networks', network, 'blockchains', 'x-chain'];
  return (
    <Page
      title={`Vertices of the X-chain of ${network}`}
      missing={`No vertex of ${network} is indexed.`}
      document={VerticesDocument}
      variables={{ network, height: written(height), ...usePages('vertices') }}
      find={({ vertices }) => vertices}
    >
      {(page) => (
        <>
          <Filters label="Which vertices are shown" filters={vertexFilters} />
          <VertexTable rows={page.nodes} network={network} />
          <Pager
            list="vertices"
            title="Vertices"
            ends={page.pageInfo}
            csv={
              height
                ? restList([...list, 'vertices:listByHeight'], { vertexHeight: height })
                : restList([...list, 'vertices'])
            }
          />
        </>
      )}
    </Page>
  );
}

export function EvmChainsPage({ network: name }: PageParams) {
  const network = networkOf(name);
  return (
    <Page
      {...directory('evm', network)}
      document={EvmChainsDocument}
      variables={{ network, ...usePages('chains') }}
      find={({ chains }) => chains}
    >
      {({ nodes, pageInfo }) => (
        <>
          <ChainTable rows={nodes} network={network} />
          <Pager list="chains" title="EVM chains" ends={pageInfo} csv={restList(['chains'], { network })} />
        </>
      )}
    </Page>
  );
}
