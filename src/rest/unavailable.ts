/** A path of the published API for which Moraine has no data. */
export interface UnavailablePath {
  method: 'GET' | 'POST';
  /** As in a route. */
  path: string;
  /** The message of its refusal: one sentence. */
  why: string;
}

const EVM_TRANSACTIONS =
  'Moraine stores of EVM chains internal transactions, messages, NFTs and balances, not their blocks, transactions and transfers; a node of the chain has them.';
const CONTRACTS = 'Moraine does not store what EVM contracts are, nor who deployed them.';
const NEWEST_OF_TOKENS =
  'Moraine has balances of ERC-1155 tokens at a block, and no list of the newest ones of an address.';
const EXPORTS = 'Moraine makes no files for callers; moraine export writes all that it has.';
const SIGNATURES = 'Moraine collects no signatures of validators.';
const USAGE = 'Moraine keeps no record of what a key requested.';
const SUPPLY =
  'Moraine does not know the supply of AVAX, because it does not read what EVM chains burn in fees.';
const EVM_METRICS = 'Moraine has no metrics of EVM chains.';
const MESSAGE_METRICS =
  'Moraine counts messages by day and chain, not by pairs of chains; GraphQL has the counts (messageDays).';
const HOLDERS =
  'Moraine finds holders of tokens by composite queries alone: POST /v2/lookingGlass/compositeQuery.';
const PAST_VALIDATORS = 'Moraine has no list of the nodes that validated within a range of days.';

const paths: Readonly<Record<string, readonly string[]>> = {
  [EVM_TRANSACTIONS]: [
    '/v1/blocks',
    '/v1/transactions',
    '/v1/chains/allBlocks',
    '/v1/chains/allTransactions',
    '/v1/chains/{chainId}/blocks',
    '/v1/chains/{chainId}/blocks/{blockId}',
    '/v1/chains/{chainId}/blocks/{blockId}/transactions',
    '/v1/chains/{chainId}/transactions',
    '/v1/chains/{chainId}/transactions/{txHash}',
    '/v1/chains/{chainId}/tokens/{address}/transfers',
    '/v1/chains/{chainId}/addresses/{address}/transactions',
    '/v1/chains/{chainId}/addresses/{address}/transactions:listNative',
    '/v1/chains/{chainId}/addresses/{address}/transactions:listErc20',
    '/v1/chains/{chainId}/addresses/{address}/transactions:listErc721',
    '/v1/chains/{chainId}/addresses/{address}/transactions:listErc1155',
  ],
  [CONTRACTS]: [
    '/v1/chains/{chainId}/addresses/{address}',
    '/v1/chains/{chainId}/contracts/{address}/deployments',
    '/v1/chains/{chainId}/contracts/{address}/transactions:getDeployment',
  ],
  [NEWEST_OF_TOKENS]: [
    '/v1/chains/{chainId}/addresses/{address}/balances:listErc1155',
    '/v1/chains/{chainId}/addresses/{address}/balances:listCollectibles',
  ],
  [EXPORTS]: ['POST /v1/operations/transactions:export', '/v1/operations/{operationId}'],
  [SIGNATURES]: [
    'POST /v1/signatureAggregator/{network}/aggregateSignatures',
    '/v1/signatureAggregator/{network}/aggregateSignatures/{txHash}',
  ],
  [USAGE]: ['/v1/apiLogs', '/v1/apiUsageMetrics', '/v1/rpcUsageMetrics', '/v1/subnetRpcUsageMetrics'],
  [SUPPLY]: ['/v1/avax/supply'],
  [EVM_METRICS]: [
    '/v2/chains',
    '/v2/chains/{chainId}',
    '/v2/chains/{chainId}/metrics/{metric}',
    '/v2/chains/{chainId}/rollingWindowMetrics/{metric}',
    '/v2/chains/43114/btcb/bridged:getAddresses',
  ],
  [MESSAGE_METRICS]: [
    '/v2/icm/summary',
    '/v2/icm/timeseries',
    '/v2/chains/{chainId}/teleporterMetrics/{metric}',
  ],
  [HOLDERS]: [
    '/v2/chains/{chainId}/contracts/{address}/balances',
    '/v2/chains/{chainId}/contracts/{address}/nfts:listHolders',
  ],
  [PAST_VALIDATORS]: ['/v2/subnets/{subnetId}/validators:getAddresses'],
};

/**
 * What the published clients may request and Moraine does not have: the table in docs/contract.md, "What is
 * not there". The OpenAPI document does not have these paths.
 */
export const unavailablePaths: readonly UnavailablePath[] = Object.entries(paths).flatMap(([why, all]) =>
  all.map((each): UnavailablePath => {
    const [path = '', method] = each.split(' ').reverse();
    return { method: method === 'POST' ? 'POST' : 'GET', path, why };
  }),
);
