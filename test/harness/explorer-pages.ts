import { examples } from '../../sample/examples.js';
import { nativeAssetIds } from '../../src/avalanche/networks.js';
import { readSample } from './sample.js';

/** An output of one owner that a transaction of the sample consumed. */
export function spentOutput() {
  const { utxosOf, transactionsOf } = readSample();
  const hashes = new Set(transactionsOf('p').map(({ txHash }) => txHash));
  /** The outputs of an owner that the page of its address lists. */
  const newest = (owner: string) =>
    utxosOf('p')
      .filter(({ addresses }) => addresses?.includes(owner))
      .sort((one, other) => Number(other.blockTimestamp) - Number(one.blockTimestamp))
      .slice(0, 15);
  const found = utxosOf('p').find(
    (utxo) =>
      utxo.consumingTxHash &&
      [utxo.consumingTxHash, utxo.txHash].every((hash) => hashes.has(hash)) &&
      utxo.addresses?.length === 1 &&
      newest(utxo.addresses[0] ?? '').includes(utxo),
  );
  if (!found?.consumingTxHash || !found.addresses?.[0]) throw new Error('the sample has no spent output');
  const node = transactionsOf('p').find(({ nodeId }) => nodeId)?.nodeId ?? '';
  return {
    node,
    asset: nativeAssetIds.fuji,
    owner: found.addresses[0],
    spentBy: found.consumingTxHash,
    madeBy: found.txHash,
  };
}

/** A validator of an L1 of the sample. */
export function validation(): string {
  const changed = readSample()
    .transactionsOf('p')
    .find(({ l1ValidatorDetails }) => l1ValidatorDetails?.length);
  return changed?.l1ValidatorDetails?.[0]?.validationId ?? '';
}

/** A blockchain of the sample that is no indexed EVM chain, by the transaction that created it. */
export function blockchain(): string {
  const { transactionsOf, rowsOf } = readSample();
  const indexed = new Set(rowsOf<{ blockchainId?: string }>('evm.chains').map((chain) => chain.blockchainId));
  const created = transactionsOf('p').find(
    ({ txHash, blockchainInfo }) => blockchainInfo && !indexed.has(txHash),
  );
  return created?.txHash ?? '';
}

/** A transaction of the sample's C-chain that has internal transactions. */
export const evmTransaction = () =>
  readSample().rowsOf<{ txHash: string }>('evm.43113.internal-transactions')[0]?.txHash ?? '';

/** A page of each kind, by a name. */
export function samplePages(): Record<string, string> {
  const holder = readSample().rowsOf<{ address: string }>('evm.43113.native-balances')[0]?.address;
  const { owner, madeBy, asset, node } = spentOutput();
  const { evmChainId, firstDate, lastDate, minBalance } = examples;
  const condition = { kind: 'anyTimeNativeBalance', evmChainId, firstDate, lastDate, minBalance };
  const question = { operator: 'AND', conditions: [condition] };
  const block = readSample()
    .transactionsOf('p')
    .find(({ blockNumber }) => blockNumber)?.blockNumber;
  return {
    first: '/',
    network: '/explore/fuji',
    transaction: `/explore/fuji/p-chain/transactions/${madeBy}`,
    steps: `/explore/fuji/p-chain/transactions/${madeBy}?before=3&after=3`,
    block: `/explore/fuji/p-chain/blocks/${block}`,
    blocks: '/explore/fuji/p-chain/blocks',
    transactions: '/explore/fuji/p-chain/transactions',
    vertices: '/explore/fuji/vertices',
    vertex: `/explore/fuji/vertices/${examples.xChain.vertexHash}`,
    blockchain: `/explore/fuji/blockchains/${blockchain()}`,
    address: `/explore/fuji/addresses/${owner}`,
    addressStakes: `/explore/fuji/addresses/${owner}?tab=stakes`,
    addressBalances: `/explore/fuji/addresses/${owner}?tab=balances`,
    addressOutputs: `/explore/fuji/addresses/${owner}?tab=outputs`,
    asset: `/explore/fuji/assets/${asset}`,
    validator: `/explore/fuji/validators/${node}`,
    status: '/explore/fuji/status',
    validatorPeriods: `/explore/fuji/validators/${node}?tab=periods`,
    validators: '/explore/fuji/validators',
    subnets: '/explore/fuji/subnets',
    subnet: `/explore/fuji/subnets/${examples.subnetId}`,
    subnetTransactions: `/explore/fuji/subnets/${examples.subnetId}?tab=transactions`,
    l1Validators: '/explore/fuji/l1-validators',
    l1Validator: `/explore/fuji/l1-validators/${validation()}`,
    assets: '/explore/fuji/assets',
    messages: '/explore/fuji/messages',
    message: `/explore/fuji/messages/${examples.icmMessageId}`,
    evmChains: '/explore/fuji/evm',
    evmChain: `/explore/fuji/evm/${examples.evmChainId}`,
    evmAddress: `/explore/fuji/evm/${examples.evmChainId}/addresses/${examples.evmAddress}`,
    evmHolder: `/explore/fuji/evm/${examples.evmChainId}/addresses/${holder}?tab=balance`,
    evmTransaction: `/explore/fuji/evm/${evmChainId}/transactions/${evmTransaction()}`,
    nftCollection: `/explore/fuji/evm/${evmChainId}/nfts/${examples.nftCollection}`,
    nft: `/explore/fuji/evm/${evmChainId}/nfts/${examples.nftCollection}/${examples.nftTokenId}`,
    composite: `/explore/fuji/composite?ask=${encodeURIComponent(JSON.stringify(question))}`,
    search: '/explore/fuji/search?text=nothing%20of%20this%20form',
    missing: '/explore/fuji/there/is/no/such/page',
  };
}
