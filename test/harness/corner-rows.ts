import { blockchainIds } from '../../src/avalanche/networks.js';
import type { Storage } from '../../src/storage/open.js';
import { poolOf } from './connections.js';
import { idOf, transactionRow, utxoRow } from './ledger-rows.js';
import { importRows } from './seed.js';

const addressOfEvm = `0x${'44'.repeat(20)}`;

/** Imports values that only some rows have, or that a reply hides: all must survive an export. */
export async function seedCorners(storage: Storage): Promise<void> {
  const { x } = blockchainIds.mainnet;
  const asset = { assetId: idOf('coin'), name: 'New "name"\\', symbol: 'NEW', denomination: 3, type: 'nft' };
  const staked = utxoRow('staked', { staked: true, consumingTxHash: idOf('ender'), utxoType: 'STAKE' });
  const later = utxoRow('later', { consumingTxHash: idOf('taker') });
  const taken = utxoRow('taken', {
    createdOnChainId: x,
    consumedOnChainId: x,
    asset,
    assetId: asset.assetId,
    amount: '5',
  });
  await importRows(storage, 'mainnet.x-chain.utxos', [taken]);
  await importRows(storage, 'mainnet.p-chain.utxos', [utxoRow('unknown block'), staked, later]);
  const old = { ...asset, name: 'Old name', amount: '5' };
  await importRows(storage, 'mainnet.p-chain.transactions', [
    transactionRow('taker', { consumedUtxos: [utxoRow('spent')], blockNumber: '7', memo: '0x00\n\t"\\é' }),
    // The same again by a source that knows less, and another output, whose consumer's block stays unknown.
    transactionRow('taker', { consumedUtxos: [utxoRow('spent'), later] }),
    transactionRow('ender', {
      txType: 'FromTheFutureTx',
      emittedUtxos: [staked, utxoRow('reward', { txHash: idOf('another'), rewardType: 'VALIDATOR' })],
      value: [old, { ...old, assetId: idOf('named in passing') }],
      startTimestamp: 18446744073709551615n,
    }),
  ]);
  await importRows(storage, 'mainnet.x-chain.utxos', [taken]);
  const frame = {
    txHash: `0x${'ab'.repeat(32)}`,
    blockNumber: '1',
    blockTimestamp: 2,
    blockHash: `0x${'cd'.repeat(32)}`,
    internalTxType: 'CALL',
    value: '1',
    isReverted: false,
    gasUsed: '3',
    gasLimit: '4',
    from: { address: `0x${'11'.repeat(20)}`, name: 'A', decimals: 0 },
    to: { address: `0x${'22'.repeat(20)}` },
  };
  await importRows(storage, 'evm.43114.internal-transactions', [frame, frame, { ...frame, position: 4 }]);
  await importRows(storage, 'evm.43114.nft-holdings', [
    { address: addressOfEvm, contractAddress: `0x${'33'.repeat(20)}`, date: '2026-01-02', tokenCount: 9 },
    { address: addressOfEvm, contractAddress: `0x${'33'.repeat(20)}`, date: '2026-01-05', tokenCount: '9' },
  ]);
  await poolOf(storage).query(
    `UPDATE nft_token SET metadata_status = 'done', standard = 'ERC-721', metadata_address = 'ipfs://x',
       name = E'Lantern "1"\\n', attributes = '[{"traitType": "a", "value": null, "displayType": null}]',
       raw_metadata = E'{"b": 1, "a": "\\\\u0000"}\\n', fetched_at = '2026-01-02T03:04:05.678Z',
       reindex_requested_at = '2026-01-02T03:04:04.321Z'
     WHERE token_id % 5 = 1`,
  );
  await poolOf(storage).query(
    `UPDATE nft_token SET metadata_status = 'failed', failure_reason = 'it does not answer',
       reindex_requested_at = '2026-02-03T04:05:06.789Z' WHERE token_id % 5 = 2`,
  );
}
