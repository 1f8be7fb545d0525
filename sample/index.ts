import { primaryChains } from '../src/avalanche/networks.js';
import { makeErc20Balances, makeNativeBalances } from './balances.js';
import { makeBlocks } from './block-rows.js';
import { makeChains } from './chains.js';
import { makeIcmMessages } from './icm-messages.js';
import { makeInternalTxs } from './internal-txs.js';
import { makeNfts } from './nfts.js';
import { makePrimaryNetwork, type PrimaryNetwork } from './primary-network.js';
import type { StateRows } from '../src/state/staking.js';
import { makeSubnetMetrics } from './subnet-metrics.js';
import { makeVertices } from './vertices.js';

/** Rows of one kind in the shapes that an import file has. */
export interface SampleFile {
  /** What an import file of these rows is called, without `.ndjson`: its kind, network and chain. */
  name: string;
  rows: Iterable<object>;
}

/** The files of the sample, and the state of its P-chain, which no file has. */
export interface Sample {
  /** In the order in which they are best loaded. */
  files: Iterable<SampleFile>;
  state: StateRows;
}

/** The generated sample: a year of a made-up fuji, the same in every run and on every machine. */
export function makeSample(): Sample {
  const network = makePrimaryNetwork();
  return { files: filesOf(network), state: network.state };
}

export const sampleFiles = (): Iterable<SampleFile> => makeSample().files;

function* filesOf({ ledger, l1s }: PrimaryNetwork): Iterable<SampleFile> {
  for (const chain of primaryChains) yield { name: `fuji.${chain}-chain.utxos`, rows: ledger.utxos[chain] };
  for (const chain of primaryChains)
    yield { name: `fuji.${chain}-chain.transactions`, rows: ledger.transactions[chain] };
  const proposers = [...new Set(ledger.transactions.p.flatMap(({ nodeId }) => nodeId ?? []))];
  for (const chain of primaryChains)
    yield {
      name: `fuji.${chain}-chain.blocks`,
      rows: makeBlocks(chain, ledger.transactions[chain], proposers),
    };
  const blockless = ledger.transactions.x.filter(({ blockNumber }) => blockNumber === undefined);
  yield { name: 'fuji.x-chain.vertices', rows: makeVertices(blockless) };
  yield { name: 'evm.chains', rows: makeChains(l1s) };
  yield { name: 'evm.43113.internal-transactions', rows: makeInternalTxs() };
  yield { name: 'fuji.icm.messages', rows: makeIcmMessages(l1s) };
  yield { name: 'evm.43113.native-balances', rows: makeNativeBalances() };
  yield { name: 'evm.43113.erc20-balances', rows: makeErc20Balances() };
  const nfts = makeNfts();
  yield { name: 'evm.43113.nft-holdings', rows: nfts.holdings };
  yield { name: 'evm.nft-tokens', rows: nfts.tokens };
  yield { name: 'fuji.subnet-metrics', rows: makeSubnetMetrics(l1s) };
}
