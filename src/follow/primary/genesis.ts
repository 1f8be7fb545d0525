import type { Genesis, PTransaction } from '../../avalanche/codec/types.js';
import { utxoRows } from '../../resources/utxo/import.js';
import type { PrimaryScope } from '../../write/scope.js';
import type { DigestContext, KindRows } from '../pipeline.js';
import { pDraft } from './p-drafts.js';
import { madeRow, type RowBlock } from './rows.js';
import { transactionRowsOf, type RowTools } from './transaction-rows.js';

/**
 * The P-chain's genesis as rows of block 0: its outputs, which belong to no transaction, its validators and its chains.
 *
 * @param hash id of P block 0
 */
export async function genesisRows(
  tools: RowTools,
  genesis: Genesis,
  hash: string,
  context: DigestContext,
): Promise<KindRows[]> {
  const { network, assets, outputs } = tools;
  const block: RowBlock = { height: 0n, hash, time: genesis.time };
  outputs.remember(genesis.utxos);
  const unstaked = genesis.utxos.map((utxo) =>
    madeRow(network.network, utxo, assets.get(utxo.assetId), { createdOn: 'p', consumedOn: 'p', block }),
  );
  const drafts = [...genesis.validators, ...genesis.chains].map((transaction: PTransaction) =>
    pDraft(network, { transaction, block, committed: true, ending: null, l1: null }),
  );
  const scope: PrimaryScope = { network: network.network, chain: 'p' };
  return [{ kind: utxoRows, scope, rows: unstaked }, await transactionRowsOf('p', drafts, tools, context)];
}
