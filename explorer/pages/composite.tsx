import { useLocation, useRoute } from 'preact-iso/router';
import { useAnswer } from '../ask.js';
import { inWords, readQuestion, variablesOf, type Question } from '../composite/conditions.js';
import { CompositeForm } from '../composite/form.js';
import {
  CompositeDocument,
  CompositeLimitsDocument,
  type CompositeQuery,
} from '../generated/others/graphql.js';
import { Asked, Part, Standing } from '../components/answer.js';
import { Pager } from '../components/pager.js';
import { Table } from '../components/table.js';
import { Id, Time } from '../components/text.js';
import { Around, usePages } from '../paging.js';
import { compositePath, evmAddressPath, networkOf } from '../paths.js';

const cChains = { mainnet: '43114', fuji: '43113' } as const;

/**
 * Addresses by conditions about their balances and NFTs. The address of the page has the question, as JSON in
 * `?ask=`.
 */
export function CompositePage({ network: name }: { network?: string }) {
  const network = networkOf(name);
  const { query } = useRoute();
  const { route } = useLocation();
  const limits = useAnswer(CompositeLimitsDocument, {});
  const config = limits.data?.serviceConfig;
  const asked = readQuestion(query['ask']);
  const limit = config?.fieldLimits.find(({ field }) => field === 'Query.compositeQuery');
  const ask = (question: Question) => route(compositePath(network, JSON.stringify(question)));
  return (
    <>
      <h1>Composite query</h1>
      <p>
        Addresses of EVM chains by what they had on which days, of the balances and NFTs that are indexed.
        {config && ` A query has at most ${config.maxSubQueries} conditions.`}
        {limit && ` You can ask ${limit.calls} in ${limit.seconds} seconds.`}
      </p>
      <Standing answer={limits} />
      {config && (
        <CompositeForm
          key={query['ask']}
          asked={asked}
          chain={cChains[network]}
          most={config.maxSubQueries}
          onAsk={ask}
        />
      )}
      {asked && <Result question={asked} network={network} />}
    </>
  );
}

function Result({ question, network }: { question: Question; network: string }) {
  const variables = { ...variablesOf(question), ...usePages('addresses') };
  const { failure, ...answer } = useAnswer(CompositeDocument, variables);
  const found = answer.data?.compositeQuery;
  return (
    <Part title="Addresses">
      <Standing answer={{ ...answer, failure: failure && inWords(failure) }} />
      {found && (
        <Around.Provider value={{ document: CompositeDocument, variables, data: answer.data }}>
          <Found found={found} chain={question.conditions[0]?.evmChainId ?? ''} network={network} />
        </Around.Provider>
      )}
      <Asked document={CompositeDocument} variables={variables} />
    </Part>
  );
}

function Found({
  found: { nodes, totalCount, totalCountIsExact, subQueryCounts, pageInfo },
  chain,
  network,
}: {
  found: NonNullable<CompositeQuery['compositeQuery']>;
  chain: string;
  network: string;
}) {
  return (
    <>
      <p>
        {totalCountIsExact ? '' : 'More than '}
        {totalCount.toLocaleString('en')} match.{' '}
        {subQueryCounts.map(({ id, count, dataAsOf }) => (
          <span key={id}>
            Condition {id} alone: {count.toLocaleString('en')}
            {dataAsOf && (
              <>
                , with the balances of <Time seconds={dataAsOf} />
              </>
            )}
            .{' '}
          </span>
        ))}
      </p>
      <Table
        label="Addresses"
        none="No address matches."
        rows={nodes}
        keyOf={(address) => address}
        columns={[
          {
            title: 'Address',
            cell: (address) => <Id id={address} href={evmAddressPath(network, chain, address)} />,
          },
        ]}
      />
      <Pager list="addresses" title="Addresses" ends={pageInfo} />
    </>
  );
}
