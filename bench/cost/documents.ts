import type { Ask } from './measure.js';
import { wideOwner, wideTransaction } from './data.js';

/** A document whose time is measured, or the path of a REST request, which is charged 1. */
export interface Case {
  name: string;
  /** Of a number where no cache behind it may know the answer. */
  query?: string | ((number: number) => string);
  path?: string;
}

const COLLECTION = '0x1C17F1568D8d5159e8A8662284203FCf2f19F8c6';
const FUJI = 'network: fuji';
const MAINNET = 'network: mainnet';
const output =
  'utxoId amount asset { symbol amount } creatingTransaction { txHash } consumingTransaction { txHash }';
const named = (field: string) => /^\w+/.exec(field)?.[0] ?? '';
const root = (field: string, selection: string): Case => ({
  name: named(field),
  query: `{ ${field} { ${selection} } }`,
});
const edge = (name: string, query: string): Case => ({ name, query: `{ ${query} }` });

/** Ids of rows that the sample has. */
const idsDocument = `{
  vertices(${FUJI}, first: 1) { nodes { vertexHash } }
  utxos(${FUJI}, blockchainId: "p-chain", first: 1) { nodes { id utxoId owners { address } } }
  validators(${FUJI}, first: 1) { nodes { nodeId } }
  l1Validators(${FUJI}, first: 1) { nodes { validationId } }
  subnets(${FUJI}, first: 1) { nodes { subnetId } }
  icmMessages(first: 1) { nodes { messageId } }
  assets(${FUJI}, last: 1) { nodes { assetId } }
  blocks: transactions(${FUJI}, blockchainId: "p-chain", first: 1) { nodes { blockNumber } }
  nftTokens(chainId: "43113", address: "${COLLECTION}", first: 1) { nodes { tokenId ownerEvmAddress { address } } }
  frames: internalTransactions(chainId: "43114", first: 1) { nodes { from { address } } }
}`;

interface Ids {
  [list: string]: { nodes: Record<string, string & { address: string } & { address: string }[]>[] };
}

/**
 * A document of each root field, and of each expensive edge.
 *
 * @throws Error for a root field that has none
 */
export async function casesOf(ask: Ask): Promise<Case[]> {
  const cases = await listCases(ask);
  const { data } = await ask('{ __schema { queryType { fields { name } } } }');
  const { fields } = (data as { __schema: { queryType: { fields: { name: string }[] } } }).__schema.queryType;
  const missing = fields.filter((field) => !cases.some(({ name }) => name === field.name));
  if (missing.length > 0)
    throw new Error(`no document of ${missing.map(({ name }) => name).join(', ')} is measured`);
  return cases;
}

async function listCases(ask: Ask): Promise<Case[]> {
  const ids = (await ask(idsDocument)).data as Ids;
  const first = (list: string) => ids[list]?.nodes[0] ?? {};
  const owner = first('utxos')['owners']?.[0]?.address ?? '';
  const holder = first('nftTokens')['ownerEvmAddress']?.address ?? '';
  const sender = first('frames')['from']?.address ?? '';
  const evm = `chainId: "43114", address: "${sender}"`;
  const days = 'firstDate: "2026-10-01", lastDate: "2026-10-30"';
  return [
    root(
      `address(${FUJI}, address: "${owner}")`,
      'address balances(first: 20) { nodes { unspent received singleSignature { inFlight } } }',
    ),
    root(
      `asset(${FUJI}, assetId: "${first('assets')['assetId'] ?? ''}")`,
      'name symbol holders(first: 100) { nodes { unspent address { address } } }',
    ),
    root(`assets(${FUJI}, first: 100)`, 'nodes { assetId name symbol denomination }'),
    root(
      `block(${FUJI}, blockchainId: "p-chain", number: "${first('blocks')['blockNumber'] ?? ''}")`,
      'transactions(first: 100) { nodes { txHash txType blockTimestamp } }',
    ),
    root('chain(chainId: "43113")', 'chainName networkToken { name symbol }'),
    root('chainStatus', 'network blockchainAlias'),
    root('chains(first: 100)', 'nodes { chainId chainName status networkToken { name symbol } }'),
    {
      name: 'compositeQuery',
      query: (number) =>
        `{ compositeQuery(first: 100, operator: AND, queries: [
          { allTimeNativeBalance: { id: "a", evmChainId: "43113", ${days}, minBalance: "${number + 1}" } }
          { anyTimeNftHolders: { id: "b", evmChainId: "43113", contractAddress: "${COLLECTION}", ${days} } } ]) { nodes totalCount } }`,
    },
    root(
      `evmAddress(${evm})`,
      'address internalTransactions(first: 100) { nodes { txHash value from { address } to { address } } }',
    ),
    root(`icmMessage(messageId: "${first('icmMessages')['messageId'] ?? ''}")`, 'messageId status data'),
    root(
      'icmMessages(first: 100)',
      'nodes { messageId status from to messageNonce sourceTransaction { txHash timestamp } }',
    ),
    root(
      'internalTransactions(chainId: "43114", first: 100)',
      'nodes { txHash value from { address } to { address } }',
    ),
    root(
      `l1Validator(${FUJI}, validationId: "${first('l1Validators')['validationId'] ?? ''}")`,
      'validationId changes(first: 100) { nodes { weight } }',
    ),
    root(`l1Validators(${FUJI}, first: 100)`, 'nodes { validationId weight remainingBalance }'),
    root(
      `nftCollection(chainId: "43113", address: "${COLLECTION}")`,
      'address tokens(first: 100) { nodes { tokenId } } owners(first: 100) { nodes { evmAddress { address } } }',
    ),
    root(
      `nftToken(chainId: "43113", address: "${COLLECTION}", tokenId: "${first('nftTokens')['tokenId'] ?? ''}")`,
      'tokenId metadata { name }',
    ),
    root(
      `nftTokens(chainId: "43113", address: "${COLLECTION}", first: 100)`,
      'nodes { tokenId metadata { name description } }',
    ),
    root(`node(id: "${first('utxos')['id'] ?? ''}")`, `... on Utxo { ${output} }`),
    root(`nodes(ids: [${`"${first('utxos')['id'] ?? ''}" `.repeat(20)}])`, `... on Utxo { ${output} }`),
    root('serviceConfig', 'maxCost maxDepth fieldLimits { field calls }'),
    root('rateLimit', 'plan limit remaining'),
    root('search(text: "fuji")', 'text problem candidates { kind value }'),
    root(`blocks(${FUJI}, blockchainId: "p-chain", first: 100)`, 'nodes { number hash timestamp }'),
    root(`currentValidators(${FUJI}, first: 100)`, 'nodes { nodeId weight endTimestamp }'),
    root(`currentL1Validators(${FUJI}, first: 100)`, 'nodes { __typename }'),
    root('searchSuggestions(text: "fuji")', 'kind value name network'),
    root(
      `subnet(${FUJI}, subnetId: "${first('subnets')['subnetId'] ?? ''}")`,
      'subnetId transactions(first: 100) { nodes { txHash txType } } validators(first: 100) { nodes { nodeId } }',
    ),
    root(
      `subnets(${FUJI}, first: 100)`,
      'nodes { subnetId owner { threshold } creatingTransaction { txHash } }',
    ),
    root(
      `subnetMetric(${FUJI}, subnetId: "${first('subnets')['subnetId'] ?? ''}", metric: perSubnetDailyFeesPaid)`,
      'nodes { value timestamp }',
    ),
    root(
      `networkStats(${FUJI}, first: 366)`,
      'nodes { timestamp txCount activeAddresses validatorWeight chains { txCount types { txType txCount } } }',
    ),
    root(
      `transaction(${MAINNET}, blockchainId: "p-chain", txHash: "${wideTransaction}")`,
      `txHash emittedUtxos(first: 100) { nodes { ${output} } }`,
    ),
    root(
      `transactions(${MAINNET}, blockchainId: "p-chain", first: 100)`,
      'nodes { txHash txType blockTimestamp blockNumber value { amount symbol } }',
    ),
    root(`utxo(${FUJI}, utxoId: "${first('utxos')['utxoId'] ?? ''}")`, output),
    root(`utxos(${MAINNET}, blockchainId: "p-chain", first: 100)`, `nodes { ${output} }`),
    root(
      `validator(${FUJI}, nodeId: "${first('validators')['nodeId'] ?? ''}")`,
      'nodeId transactions(first: 100) { nodes { txHash txType } }',
    ),
    root(`validators(${MAINNET}, first: 100)`, 'nodes { nodeId }'),
    root(
      `vertex(${FUJI}, vertexHash: "${first('vertices')['vertexHash'] ?? ''}")`,
      'vertexHash parents(first: 100) { nodes { vertexHash } } children(first: 100) { nodes { vertexHash } }',
    ),
    root(
      `vertices(${FUJI}, first: 100)`,
      'nodes { vertexHash txCount transactions(first: 5) { nodes { txHash } } }',
    ),
    // Expensive edges.
    edge(
      'outputs → owners → transactions → 100 outputs',
      `utxos(${MAINNET}, blockchainId: "p-chain", addresses: ["${wideOwner}"], first: 18) { nodes { owners { transactions(first: 5, blockchainId: "p-chain") { nodes { emittedUtxos(first: 100) { nodes { utxoId } } } } } } }`,
    ),
    edge(
      'owners of 100 outputs',
      `utxos(${MAINNET}, blockchainId: "p-chain", first: 100) { nodes { owners { address } } }`,
    ),
    edge(
      'owners of 100 outputs → balances',
      `utxos(${MAINNET}, blockchainId: "p-chain", first: 100) { nodes { owners { balances(first: 5) { nodes { unspent } } } } }`,
    ),
    edge(
      'validators → four lists',
      `validators(${MAINNET}, first: 100) { nodes { stakingPeriods(first: 20) { nodes { txHash } } delegations(first: 20) { nodes { txHash } } rewards(first: 20) { nodes { txHash } } transactions(first: 20) { nodes { txHash } } } }`,
    ),
    edge(
      '16 searches of an EVM address',
      Array.from(
        { length: 16 },
        (_none, index) => `a${index}: search(text: "${sender}") { candidates { kind value } }`,
      ).join(' '),
    ),
    edge('a search of an EVM address', `search(text: "${sender}") { candidates { kind value } }`),
    edge(
      'a search of the beginning of an EVM address',
      `search(text: "${sender.slice(0, 9)}") { candidates { kind value } }`,
    ),
    edge('a search → nodes', `search(text: "${sender}") { candidates { node { id } } }`),
    edge('a total count', `utxos(${MAINNET}, blockchainId: "p-chain", first: 1) { totalCount }`),
    edge(
      '10 counts of 64 addresses',
      Array.from(
        { length: 10 },
        (_none, index) =>
          `a${index}: utxos(${MAINNET}, blockchainId: "p-chain", addresses: [${`"${wideOwner}" `.repeat(1)}], includeSpent: true, first: 1) { totalCount }`,
      ).join(' '),
    ),
    edge(
      'days of an address',
      `address(${MAINNET}, address: "${wideOwner}") { balanceHistory(first: 100) { nodes { timestamp balance } } }`,
    ),
    edge(
      'outputs of the past',
      `utxos(${MAINNET}, blockchainId: "p-chain", addresses: ["${wideOwner}"], asOf: { time: 1500000100 }, first: 100) { nodes { utxoId } }`,
    ),
    edge(
      'outputs by state',
      `utxos(${MAINNET}, blockchainId: "p-chain", addresses: ["${wideOwner}"], state: SPENDABLE, first: 100) { nodes { utxoId } }`,
    ),
    edge(
      'daily balances',
      `evmAddress(chainId: "43113", address: "${holder}") { dailyBalances(first: 100, ${days}) { nodes { timestamp balance } } nfts(first: 100) { nodes { tokenId } } }`,
    ),
    edge(
      'messages → parties → messages',
      'icmMessages(first: 50) { nodes { fromEvmAddress { icmMessages(first: 10) { nodes { messageId } } } toEvmAddress { icmMessages(first: 10) { nodes { messageId } } } } }',
    ),
    edge(
      'messages → receipts → messages',
      'icmMessages(first: 100) { nodes { receipts { message { messageId } } sourceChain { chainName } destinationChain { chainName } } }',
    ),
    edge(
      'frames → parties → frames',
      'internalTransactions(chainId: "43114", first: 50) { nodes { from { evmAddress { internalTransactions(first: 20) { nodes { txHash } } } } } }',
    ),
    edge(
      'transactions → outputs',
      `transactions(${MAINNET}, blockchainId: "p-chain", first: 100) { nodes { txHash emittedUtxos(first: 20) { nodes { utxoId amount } } consumedUtxos(first: 20) { nodes { utxoId amount } } } }`,
    ),
    edge(
      'transactions → blocks, validators, subnets',
      `transactions(${MAINNET}, blockchainId: "p-chain", first: 100) { nodes { block { number previous { number } next { number } } validator { nodeId } subnet { subnetId } } }`,
    ),
    edge(
      'subnets → five lists',
      `subnets(${MAINNET}, first: 100) { nodes { validators(first: 10) { nodes { nodeId } } l1Validators(first: 10) { nodes { validationId } } transactions(first: 10) { nodes { txHash } } evmChains(first: 10) { nodes { chainId } } conversions(first: 10) { nodes { txHash } } } }`,
    ),
    edge(
      'vertices → parents → parents',
      `vertices(${FUJI}, first: 50) { nodes { parents(first: 5) { nodes { parents(first: 5) { nodes { vertexHash } } } } } }`,
    ),
    edge(
      '30 rows by key',
      Array.from(
        { length: 30 },
        (_none, index) =>
          `a${index}: utxo(${FUJI}, utxoId: "${first('utxos')['utxoId'] ?? ''}") { ${output} }`,
      ).join(' '),
    ),
    { name: 'REST: 100 outputs', path: `/v1/networks/mainnet/blockchains/p-chain/utxos?pageSize=100` },
    {
      name: 'REST: transaction of 100 outputs',
      path: `/v1/networks/mainnet/blockchains/p-chain/transactions/${wideTransaction}`,
    },
    { name: 'REST: 100 messages', path: '/v1/icm/messages?pageSize=100' },
  ];
}
