import { expect } from 'vitest';
import type { TestApp } from './app.js';

/** The address of a page of the network that is followed as fuji. */
export const explore = (...parts: string[]) => ['/explore/fuji', ...parts.map(encodeURIComponent)].join('/');

/** The newest transaction of a type: most are older than the newest hundred. */
const NEWEST = `query ($chain: String!, $type: TxType!) {
  transactions(network: fuji, blockchainId: $chain, txTypes: [$type], first: 1) { nodes {
    txHash txType blockNumber blockchainAlias
    emittedUtxos(first: 1) { nodes { addresses } }
  } }
}`;

/** What else a followed network has a page of, as the graph lists it. */
const LISTS = `{
  subnets(network: fuji, first: 100) { nodes { subnetId metric(metric: perSubnetDailyFeesPaid, first: 1) { nodes { value } } } }
  validators(network: fuji, first: 2) { nodes { nodeId } }
  currentValidators(network: fuji, first: 1) { nodes { nodeId transaction { rewardAddresses } } }
  l1Validators(network: fuji, first: 2) { nodes { validationId } }
  icmMessages(network: fuji, first: 1) { nodes { messageId } }
  assets(network: fuji, first: 3) { nodes { assetId } }
  chains(network: fuji, first: 1) { nodes { chainId internalTransactions(first: 5) { nodes { txHash from { address } to { address } } } } }
}`;

/** A page of each kind of network A, and of each type of transaction of each chain, by a name. */
export async function networkPages(gateway: TestApp): Promise<Record<string, string>> {
  const { data: known } = await gateway.graphql<any>('{ __type(name: "TxType") { enumValues { name } } }');
  const types: string[] = known.__type.enumValues.map(({ name }: { name: string }) => name);
  const { data, errors } = await gateway.graphql<any>(LISTS);
  expect(errors).toBeUndefined();
  const found: Record<string, string> = {
    first: '/',
    newest: explore(),
    status: explore('status'),
    composite: explore('composite'),
  };
  for (const kind of ['validators', 'subnets', 'l1-validators', 'assets', 'messages', 'evm', 'vertices'])
    found[kind] = explore(kind);
  for (const chain of ['p-chain', 'x-chain', 'c-chain'])
    for (const list of ['blocks', 'transactions']) found[`${list} of the ${chain}`] = explore(chain, list);
  for (const tab of ['periods', 'rewards', 'l1'])
    found[`validator, ${tab}`] = `${explore('validators', data.validators.nodes[0].nodeId)}?tab=${tab}`;
  for (const tab of ['l1', 'validators', 'transactions'])
    found[`subnet, ${tab}`] = `${explore('subnets', data.subnets.nodes.at(-1).subnetId)}?tab=${tab}`;
  // One after the other: as many at once are more than a gateway lets wait.
  const newest: any[] = [];
  for (const chain of ['p-chain', 'x-chain', 'c-chain'])
    for (const type of types) {
      const reply = await gateway.graphql<any>(NEWEST, { chain, type });
      expect(reply.errors).toBeUndefined();
      newest.push(...reply.data.transactions.nodes);
    }
  for (const { txHash, txType, blockNumber, blockchainAlias, emittedUtxos } of newest) {
    found[`${blockchainAlias} ${txType}`] ??= explore(blockchainAlias, 'transactions', txHash);
    if (/^(Ex|Im)portTx$/.test(txType))
      found[`steps of a ${blockchainAlias} ${txType}`] ??=
        `${explore(blockchainAlias, 'transactions', txHash)}?before=3&after=3`;
    if (txType === 'CreateChainTx') found['blockchain'] ??= explore('blockchains', txHash);
    if (blockNumber)
      found[`block of the ${blockchainAlias}`] ??= explore(blockchainAlias, 'blocks', blockNumber);
    const owner = emittedUtxos.nodes[0]?.addresses[0];
    if (owner) found[`address on the ${blockchainAlias}`] ??= explore('addresses', owner);
  }
  for (const { subnetId, metric } of data.subnets.nodes)
    found[metric.nodes.length > 0 ? 'L1 with fees' : 'subnet'] ??= explore('subnets', subnetId);
  for (const [position, { nodeId }] of data.validators.nodes.entries())
    found[`validator ${position}`] = explore('validators', nodeId);
  const [earns] = data.currentValidators.nodes[0].transaction.rewardAddresses;
  found['address, stakes'] = `${explore('addresses', earns)}?tab=stakes`;
  // Of most nodes the stakes have ended.
  found['validator of now'] = explore('validators', data.currentValidators.nodes[0].nodeId);
  for (const [position, { validationId }] of data.l1Validators.nodes.entries())
    found[`L1 validator ${position}`] = explore('l1-validators', validationId);
  for (const [position, { assetId }] of data.assets.nodes.entries())
    found[`asset ${position}`] = explore('assets', assetId);
  found['message'] = explore('messages', data.icmMessages.nodes[0].messageId);
  const [chain] = data.chains.nodes;
  found['EVM chain'] = explore('evm', chain.chainId);
  for (const { txHash, from, to } of chain.internalTransactions.nodes) {
    found['EVM transaction'] ??= explore('evm', chain.chainId, 'transactions', txHash);
    found['contract'] ??= explore('evm', chain.chainId, 'addresses', from.address);
    found['EVM address'] ??= explore('evm', chain.chainId, 'addresses', to.address);
  }
  // No list of the graph has all collections. Of one whose tokens have no owner nothing is listed.
  const nft = await gateway.storage.prisma.nftToken.findFirstOrThrow({ where: { owner: { not: null } } });
  const collection = `0x${Buffer.from(nft.address).toString('hex')}`;
  const { evmChainId, tokenId } = nft;
  found['NFT collection'] = explore('evm', String(evmChainId), 'nfts', collection);
  found['NFT'] = explore('evm', String(evmChainId), 'nfts', collection, tokenId.toFixed());
  return found;
}
