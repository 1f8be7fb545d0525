import { blockchainIds, networks, primaryChains } from '../../avalanche/networks.js';
import { jsonText, type JsonField } from '../../storage/json-text.js';

/** SQL of the blockchain id behind a chain column of the table `alias`. */
function blockchainId(alias: string, column: string): string {
  const cases = networks.flatMap((network) =>
    primaryChains.map(
      (chain) =>
        `WHEN ${alias}.network = '${network}' AND ${alias}.${column} = '${chain}' THEN '${blockchainIds[network][chain]}'`,
    ),
  );
  return `CASE ${cases.join(' ')} END`;
}

const whenUnstaked = (column: string) => `CASE WHEN u.staked THEN NULL ELSE u.${column} END`;

/** The AssetAmount of a row: `a` is its asset, `amount` its amount. */
export function assetAmountText(amount: string): string {
  return jsonText([
    { name: 'assetId', form: 'plain', sql: 'a.asset_id' },
    { name: 'name', form: 'text', sql: 'a.name' },
    { name: 'symbol', form: 'text', sql: 'a.symbol' },
    { name: 'denomination', form: 'number', sql: 'a.denomination' },
    { name: 'type', form: 'plain', sql: 'a.type' },
    { name: 'amount', form: 'plain', sql: amount },
  ]);
}

/**
 * The fields of a UTXO's JSON, over `utxo u` and `asset a`. An unknown block is written as 0, as
 * REST clients need it; `utxoUnknown` tells which of these zeros are made up.
 */
export const utxoFields: readonly JsonField[] = [
  { name: 'utxoId', form: 'plain', sql: 'u.utxo_id' },
  { name: 'txHash', form: 'plain', sql: 'u.tx_hash' },
  { name: 'outputIndex', form: 'number', sql: 'u.output_index' },
  { name: 'addresses', form: 'json', sql: 'to_json(u.addresses)::text' },
  { name: 'threshold', form: 'number', sql: 'u.threshold', optional: true },
  { name: 'assetId', form: 'plain', sql: 'a.asset_id' },
  { name: 'amount', form: 'plain', sql: 'u.amount' },
  { name: 'asset', form: 'json', sql: assetAmountText('u.amount') },
  { name: 'utxoType', form: 'plain', sql: 'u.utxo_type' },
  { name: 'staked', form: 'number', sql: 'u.staked', optional: true },
  { name: 'createdOnChainId', form: 'plain', sql: blockchainId('u', 'created_on') },
  { name: 'consumedOnChainId', form: 'plain', sql: blockchainId('u', 'consumed_on') },
  { name: 'blockNumber', form: 'plain', sql: 'coalesce(u.block_number, 0)' },
  { name: 'blockTimestamp', form: 'number', sql: 'coalesce(u.block_timestamp, 0)' },
  { name: 'consumingTxHash', form: 'plain', sql: whenUnstaked('consuming_tx_hash'), optional: true },
  {
    name: 'consumingBlockNumber',
    form: 'plain',
    sql: whenUnstaked('consuming_block_number'),
    optional: true,
  },
  {
    name: 'consumingBlockTimestamp',
    form: 'number',
    sql: whenUnstaked('consuming_block_timestamp'),
    optional: true,
  },
  { name: 'platformLocktime', form: 'number', sql: 'u.platform_locktime', optional: true },
  { name: 'stakeableLocktime', form: 'number', sql: 'u.stakeable_locktime', optional: true },
  { name: 'rewardType', form: 'plain', sql: 'u.reward_type', optional: true },
  { name: 'utxoStartTimestamp', form: 'number', sql: 'u.utxo_start_timestamp', optional: true },
  { name: 'utxoEndTimestamp', form: 'number', sql: 'u.utxo_end_timestamp', optional: true },
  { name: 'utxoBytes', form: 'plain', sql: `'0x' || encode(u.utxo_bytes, 'hex')`, optional: true },
];

/** SQL of a UTXO as the specification's JSON, over `utxo u` and `asset a`. */
export const utxoText = jsonText(utxoFields);

/** SQL of which zeros of utxoText stand for "unknown": 1 the block number, 2 the block timestamp. */
export const utxoUnknown = `(CASE WHEN u.block_number IS NULL THEN 1 ELSE 0 END + CASE WHEN u.block_timestamp IS NULL THEN 2 ELSE 0 END)`;

/** The columns of a UtxoRow, over `utxo u` and `asset a`. */
export const utxoColumns = `u.id, u.network, ${utxoText} AS text, ${utxoUnknown} AS unknown`;
