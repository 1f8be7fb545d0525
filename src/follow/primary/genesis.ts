import type { Genesis, PTransaction } from '../../avalanche/codec/types.js';
import { utxoRows } from '../../resources/utxo/import.js';
import type { PrimaryScope } from '../../write/scope.js';
import type { DigestContext, KindRows } from '../pipeline.js';
import type { StakingMachine } from '../staking/machine.js';
import { pDraft } from './p-drafts.js';
import { madeRow, type RowBlock } from './rows.js';
import { transactionRowsOf, type RowTools } from './transaction-rows.js';

export const withoutGenesis =
  'the first outputs of the P-chain are in its genesis, not in a block: give the genesis file of the network with --genesis or FOLLOW_GENESIS; avalanchego has those of mainnet and fuji in its folder genesis/';

/** Block 0, and the state of stakers, which begins with it. */
export interface GenesisBlock {
  /** Id of P block 0. */
  readonly hash: string;
  readonly machine: StakingMachine;
}

/**
 * The P-chain's genesis as rows of block 0: its outputs, which belong to no transaction, its validators and
 * its chains.
 */
export async function genesisRows(
  tools: RowTools,
  genesis: Genesis,
  { hash, machine }: GenesisBlock,
  context: DigestContext,
): Promise<KindRows[]> {
  const { network, assets, outputs } = tools;
  const block: RowBlock = { height: 0n, hash, time: genesis.time };
  outputs.remember(genesis.utxos);
  const unstaked = genesis.utxos.map((utxo) =>
    madeRow(network.network, utxo, assets.get(utxo.assetId), { createdOn: 'p', consumedOn: 'p', block }),
  );
  const started = new Map(machine.begin(genesis).map((staker) => [staker.txId, staker]));
  const drafts = [...genesis.validators, ...genesis.chains].map((transaction: PTransaction, position) => {
    const nothing = { committed: true, ending: null, ended: null, l1: null };
    const applied = {
      transaction,
      block,
      position,
      ...nothing,
      started: started.get(transaction.id) ?? null,
    };
    return pDraft(network, applied, machine.isTrusted);
  });
  const scope: PrimaryScope = { network: network.network, chain: 'p' };
  return [{ kind: utxoRows, scope, rows: unstaked }, await transactionRowsOf('p', drafts, tools, context)];
}
