import { primaryChains } from '../../avalanche/networks.js';
import { makePrimaryNetwork } from './primary-network.js';

/** Rows of one kind in the shapes that an import file has. */
export interface SampleFile {
  /** What an import file of these rows is called, without `.ndjson`: its kind, network and chain. */
  name: string;
  rows: Iterable<object>;
}

/**
 * The generated sample: a year of a made-up fuji, the same in every run and on every machine. Files come in the
 * order in which they are best loaded.
 */
export function* sampleFiles(): Iterable<SampleFile> {
  const { ledger } = makePrimaryNetwork();
  for (const chain of primaryChains) yield { name: `fuji.${chain}-chain.utxos`, rows: ledger.utxos[chain] };
  for (const chain of primaryChains)
    yield { name: `fuji.${chain}-chain.transactions`, rows: ledger.transactions[chain] };
}
