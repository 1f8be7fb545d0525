import {
  boolean,
  choice,
  digits,
  hex,
  list,
  object,
  page,
  ref,
  text,
  whole,
  type JsonSchemas,
} from './build.js';

export const utxoSchemas: JsonSchemas = {
  Utxo: object(
    'An output of a transaction on the primary network, spent or not.',
    {
      addresses: list('Owners, bech32 without chain prefix.', { type: 'string' }),
      asset: ref('AssetAmount'),
      consumedOnChainId: text('Blockchain id of the chain on which the output is, or can be, consumed.'),
      createdOnChainId: text('Blockchain id of the chain that created the output.'),
      utxoId: text('Id of the output within its network, CB58.'),
      amount: digits("Amount in the asset's smallest unit: nAVAX for AVAX."),
      assetId: text('Id of the asset that the output holds, CB58.'),
      blockNumber: digits('Number of the block that created the output; "0" where unknown.'),
      blockTimestamp: whole('When that block was made, Unix seconds; 0 where unknown.'),
      outputIndex: whole('Place among the outputs of its transaction, from 0.'),
      txHash: text('Hash of the transaction that the output belongs to, CB58.'),
      utxoType: choice('What the output is for.', ['STAKE', 'TRANSFER']),
    },
    {
      consumingTxHash: text(
        'Hash of the transaction that spent the output. Left out while unspent or staked.',
      ),
      consumingBlockNumber: digits('Number of the block that spent the output.'),
      consumingBlockTimestamp: whole('When the output was spent, Unix seconds.'),
      utxoBytes: hex('The encoded output with a checksum of 4 bytes.'),
      platformLocktime: whole('Unix seconds until which the output cannot be spent; 0 for no lock.'),
      stakeableLocktime: whole('Unix seconds until which the output can only be staked.'),
      rewardType: choice('What the output rewards.', ['VALIDATOR', 'DELEGATOR', 'VALIDATOR_FEE']),
      staked: boolean('Whether the output is locked in an active stake.'),
      threshold: whole('Number of owners that must sign to spend the output.'),
      utxoStartTimestamp: whole('Start of the staking period, Unix seconds.'),
      utxoEndTimestamp: whole('End of the staking period, Unix seconds.'),
    },
  ),
  ListUtxosResponse: page('utxos', ref('Utxo'), { chainInfo: ref('ChainInfo') }),
};
