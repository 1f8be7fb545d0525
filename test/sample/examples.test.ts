import { describe, expect, test } from 'vitest';
import { examples } from '../../sample/examples.js';
import type { InternalTxLine } from '../../src/resources/internal-tx/import-row.js';
import type { VertexLine } from '../../src/resources/vertex/import.js';
import { readSample } from '../harness/sample.js';

const { rowsOf, allUtxos, allTransactions } = readSample();

describe('the examples', () => {
  const utxo = (utxoId: string) => allUtxos.find((row) => row.utxoId === utxoId);
  const transaction = (txHash: string) => allTransactions.find((row) => row.txHash === txHash);

  test('name outputs that are what they say', () => {
    expect(utxo(examples.multisigUtxoId)).toMatchObject({ threshold: 2 });
    expect(utxo(examples.multisigUtxoId)).not.toHaveProperty('consumingTxHash');
    expect(utxo(examples.stakedUtxoId)).toMatchObject({ staked: true, utxoType: 'STAKE' });
    expect(utxo(examples.rewardUtxoId)).toMatchObject({ rewardType: 'VALIDATOR_FEE' });
    expect(utxo(examples.exportedUtxoId)).not.toHaveProperty('consumingTxHash');
    expect(utxo(examples.exportedUtxoId)?.createdOnChainId).not.toBe(
      utxo(examples.exportedUtxoId)?.consumedOnChainId,
    );
    expect(allUtxos.filter((row) => row.addresses.includes(examples.busyAddress)).length).toBeGreaterThan(
      300,
    );
    expect(allUtxos.some((row) => row.assetId === examples.assetId && row.asset.type === 'secp256k1')).toBe(
      true,
    );
    expect(allUtxos.some((row) => row.assetId === examples.nftAssetId && row.asset.type === 'nft')).toBe(
      true,
    );
  });

  test('name transactions of the types they say', () => {
    const { pChain, xChain, cChain } = examples;
    const types = (hashes: object) => Object.values(hashes).map((hash: string) => transaction(hash)?.txType);
    expect(types(pChain)).toEqual([
      'AddPermissionlessValidatorTx',
      'RewardValidatorTx',
      'CreateChainTx',
      'ConvertSubnetToL1Tx',
      'DisableL1ValidatorTx',
      'ExportTx',
    ]);
    expect(transaction(pChain.stakingTxHash)).toHaveProperty('rewardTxHash');
    expect(types(xChain).slice(0, 3)).toEqual(['BaseTx', 'CreateAssetTx', 'OperationTx']);
    expect(types(cChain)).toEqual(['ImportTx', 'ExportTx']);
    expect(transaction(xChain.vertexTxHash)).not.toHaveProperty('blockNumber');
    const vertices = rowsOf<VertexLine>('fuji.x-chain.vertices');
    expect(vertices.find((row) => row.vertexHash === xChain.vertexHash)?.transactions).toContain(
      xChain.vertexTxHash,
    );
  });

  test('name an address, a message, an L1 and a token that the sample holds', () => {
    const internalTxs = rowsOf<InternalTxLine>('evm.43113.internal-transactions');
    const messages = rowsOf<{ messageId: string }>('fuji.icm.messages');
    const chains = rowsOf<{ blockchainId: string; subnetId: string }>('evm.chains');
    const busy = internalTxs.filter(({ from, to }) =>
      [from.address, to.address].includes(examples.evmAddress),
    );
    expect(busy.length).toBeGreaterThan(300);
    expect(messages.find((row) => row.messageId === examples.icmMessageId)).toMatchObject({
      status: 'delivered',
    });
    expect(chains.find((row) => row.blockchainId === examples.l1BlockchainId)?.subnetId).toBe(
      examples.subnetId,
    );
    expect(rowsOf('evm.nft-tokens')).toContainEqual(
      expect.objectContaining({
        evmChainId: examples.evmChainId,
        address: examples.nftCollection,
        tokenId: examples.nftTokenId,
      }),
    );
    const tokens = rowsOf<{ contractAddress: string }>('evm.43113.erc20-balances').map(
      (row) => row.contractAddress,
    );
    expect(tokens).toContain(examples.erc20Address);
  });

  test('name the first and the last day of the balances', () => {
    const dates = rowsOf<{ date: string }>('evm.43113.native-balances').map((row) => row.date);
    expect([dates.toSorted()[0], dates.toSorted().at(-1)]).toEqual([examples.firstDate, examples.lastDate]);
  });
});
