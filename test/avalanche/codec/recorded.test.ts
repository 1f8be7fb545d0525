import { beforeAll, describe, expect, test } from 'vitest';
import { decodePBlock, decodeXBlock } from '../../../src/avalanche/codec/block.js';
import {
  decodeAtomicTransaction,
  decodeAtomicTransactions,
  extDataHash,
} from '../../../src/avalanche/codec/c-transaction.js';
import { evmHeaderHash } from '../../../src/avalanche/codec/evm-header.js';
import { rebuildGenesis } from '../../../src/avalanche/codec/genesis-bytes.js';
import { decodeUtxo } from '../../../src/avalanche/codec/outputs.js';
import { decodePTransaction } from '../../../src/avalanche/codec/p-transaction.js';
import type { Genesis, Transaction } from '../../../src/avalanche/codec/types.js';
import { decodeVertex } from '../../../src/avalanche/codec/vertex.js';
import { decodeXTransaction } from '../../../src/avalanche/codec/x-transaction.js';
import { encodeUtxo } from './encode.js';
import { callsOf, checkedBytes, idsOf, jsonOf, plainBytes, recordedNetworks } from './recorded.js';

test.runIf(recordedNetworks.length === 0)('no recorded network lies in ../shared/node', () => {
  expect(recordedNetworks).toEqual([]);
});

/** Outputs that do not say their place, or not every byte of theirs. */
function wrongOutputs({ id, outputs }: Transaction) {
  return outputs.filter(
    (output, index) =>
      output.outputIndex !== index ||
      output.txId !== id ||
      !encodeUtxo(output).equals(output.bytes) ||
      decodeUtxo(output.bytes).utxoId !== output.utxoId,
  );
}

describe.each(recordedNetworks)('%s', (network) => {
  let genesis: Genesis;

  beforeAll(() => {
    genesis = rebuildGenesis(jsonOf(network, 'genesis.json'));
  });

  test('the genesis file becomes the bytes that P block 0 names as its parent, and gives the ids of chains and asset', () => {
    const first = callsOf(network, 'p').find(
      ({ method, args }) => method === 'platform.getBlockByHeight' && args['height'] === '0',
    );
    expect(decodePBlock(checkedBytes(first?.result['block'])).parent).toBe(genesis.id);
    const info = callsOf(network, 'info');
    const chainId = (alias: string) =>
      info.find(({ method, args }) => method === 'info.getBlockchainID' && args['alias'] === alias)?.result[
        'blockchainID'
      ];
    expect(genesis.xChainId).toBe(chainId('X'));
    expect(genesis.cChainId).toBe(chainId('C'));
    const staking = callsOf(network, 'p-state').find(
      ({ method, args }) => method === 'platform.getStakingAssetID' && Object.keys(args).length === 0,
    );
    expect(genesis.avaxAssetId).toBe(staking?.result['assetID']);
    expect(String(genesis.networkId)).toBe(
      info.find(({ method }) => method === 'info.getNetworkID')?.result['networkID'],
    );
    expect(genesis.utxos.map(({ outputIndex }) => outputIndex)).toEqual(
      genesis.utxos.map((_, index) => index),
    );
    expect(genesis.assets.flatMap(({ transaction }) => wrongOutputs(transaction))).toEqual([]);
  });

  test('every P block has its id, its parent and its transactions', () => {
    const blocks = callsOf(network, 'p').filter(({ method }) => method === 'platform.getBlockByHeight');
    const decoded = blocks.map(({ result }) => decodePBlock(checkedBytes(result['block'])));
    decoded.sort((a, b) => Number(a.height - b.height));
    const ids = idsOf(network).P;
    expect(decoded.map(({ id }) => id)).toEqual(ids.map(([id]) => id));
    expect(decoded.map(({ parent }) => parent)).toEqual([genesis.id, ...ids.slice(0, -1).map(([id]) => id)]);
    expect(decoded.map(({ height }) => Number(height))).toEqual(ids.map((_, height) => height));
    const found = decoded.map(({ transactions, proposal }) => [
      ...transactions,
      ...(proposal ? [proposal] : []),
    ]);
    expect(found.map((list) => list.map(({ id }) => id).sort())).toEqual(
      ids.map(([, , list]) => [...list].sort()),
    );
    const again = found.flat().map(({ bytes }) => decodePTransaction(bytes).id);
    expect(again).toEqual(found.flat().map(({ id }) => id));
  });

  test('every P transaction has its id, and its outputs say every byte of theirs', () => {
    const calls = callsOf(network, 'p').filter(({ method }) => method === 'platform.getTx');
    expect(calls.length).toBeGreaterThan(500);
    const decoded = calls.map(({ result }) => decodePTransaction(checkedBytes(result['tx'])));
    expect(decoded.map(({ id }) => id)).toEqual(calls.map(({ args }) => args['txID']));
    expect(decoded.flatMap(wrongOutputs)).toEqual([]);
  });

  test('every validation id is recomputed from the transaction that makes it', () => {
    const states = callsOf(network, 'p-state').filter(({ method }) => method === 'platform.getL1Validator');
    const transactions = callsOf(network, 'p')
      .filter(({ method }) => method === 'platform.getTx')
      .map(({ result }) => decodePTransaction(checkedBytes(result['tx'])));
    const made = new Map(
      transactions.flatMap((each) => {
        if (each.type === 'ConvertSubnetToL1Tx')
          return each.validators.map(({ validationId, nodeId }) => [validationId, nodeId] as const);
        if (each.type !== 'RegisterL1ValidatorTx') return [];
        return [[each.warp.message.validationId, each.warp.message.nodeId] as const];
      }),
    );
    for (const { args, result } of states)
      expect(made.get(args['validationID'] as string)).toBe(result['nodeID']);
    const touched = transactions.flatMap((each) => {
      if (each.type === 'SetL1ValidatorWeightTx') return [each.warp.message.validationId];
      const named = each.type === 'IncreaseL1ValidatorBalanceTx' || each.type === 'DisableL1ValidatorTx';
      return named ? [each.validationId] : [];
    });
    expect(touched.filter((id) => !made.has(id))).toEqual([]);
  });

  test('every X block has its id, its parent and its transactions', () => {
    const blocks = callsOf(network, 'x').filter(({ method }) => method === 'avm.getBlockByHeight');
    const decoded = blocks.map(({ result }) => decodeXBlock(checkedBytes(result['block'])));
    decoded.sort((a, b) => Number(a.height - b.height));
    const ids = idsOf(network).X;
    expect(decoded.map(({ id }) => id)).toEqual(ids.map(([id]) => id));
    expect(decoded.slice(1).map(({ parent }) => parent)).toEqual(ids.slice(0, -1).map(([id]) => id));
    expect(decoded.map(({ transactions }) => transactions.map(({ id }) => id))).toEqual(
      ids.map(([, , list]) => list),
    );
  });

  test('every X transaction has its id, and its outputs say every byte of theirs', () => {
    const calls = callsOf(network, 'x').filter(({ method }) => method === 'avm.getTx');
    expect(calls.length).toBeGreaterThan(500);
    const decoded = calls.map(({ result }) => decodeXTransaction(checkedBytes(result['tx'])));
    expect(decoded.map(({ id }) => id)).toEqual(calls.map(({ args }) => args['txID']));
    expect(decoded.flatMap(wrongOutputs)).toEqual([]);
  });

  test('every vertex has its id, and its transactions are those of the index', () => {
    type Container = { id: string; bytes: string };
    const containers = (path: string) =>
      callsOf(network, 'index')
        .filter(({ method, path: at }) => method === 'index.getContainerRange' && at === path)
        .flatMap(({ result }) => result['containers'] as Container[]);
    const vertices = containers('/ext/index/X/vtx').map(({ id, bytes }) => ({
      id,
      vertex: decodeVertex(checkedBytes(bytes)),
    }));
    expect(vertices.map(({ vertex }) => vertex.id)).toEqual(vertices.map(({ id }) => id));
    const inVertices = vertices.flatMap(({ vertex }) => vertex.transactions.map(({ id }) => id));
    const indexed = containers('/ext/index/X/tx').map(({ id, bytes }) => {
      expect(decodeXTransaction(checkedBytes(bytes)).id).toBe(id);
      return id;
    });
    expect(new Set(inVertices)).toEqual(new Set(indexed));
  });

  test('every C header has its hash, and commits to the atomic transactions of its block', () => {
    const upgrades = callsOf(network, 'info').find(({ method }) => method === 'info.upgrades');
    const apricot5 = Date.parse(upgrades?.result['apricotPhase5Time'] as string) / 1000;
    const calls = callsOf(network, 'c');
    for (const { result } of calls.filter(({ method }) => method === 'eth_getHeaderByNumber'))
      expect(evmHeaderHash(result)).toBe(result['hash']);
    const byHeight = new Map<string, unknown[]>();
    for (const { args, result } of calls.filter(({ method }) => method === 'avax.getAtomicTx')) {
      const transaction = decodeAtomicTransaction(checkedBytes(result['tx']));
      expect(transaction.id).toBe(args['txID']);
      expect(wrongOutputs(transaction)).toEqual([]);
      const height = result['blockHeight'] as string;
      byHeight.set(height, [...(byHeight.get(height) ?? []), transaction.id]);
    }
    for (const { result } of calls.filter(({ method }) => method === 'eth_getBlockByNumber')) {
      expect(evmHeaderHash(result)).toBe(result['hash']);
      const height = Number(result['number']);
      const extData = plainBytes(result['blockExtraData']);
      // The genesis header has zeros there.
      if (height > 0) expect(extDataHash(extData)).toBe(result['extDataHash']);
      const transactions = decodeAtomicTransactions(extData, Number(result['timestamp']) >= apricot5);
      expect(transactions.map(({ id }) => id).sort()).toEqual((byHeight.get(String(height)) ?? []).sort());
    }
  });

  test('every unspent output and every reward says each of its bytes', () => {
    const lists = [...callsOf(network, 'utxos'), ...callsOf(network, 'p')].flatMap(
      ({ result }) => result['utxos'] ?? [],
    );
    const texts = new Set(lists.flat() as string[]);
    expect(texts.size).toBeGreaterThan(1000);
    const wrong = [...texts].filter((text) => {
      const bytes = Buffer.from(checkedBytes(text));
      const utxo = decodeUtxo(bytes);
      return !bytes.equals(encodeUtxo(utxo)) || !bytes.equals(utxo.bytes);
    });
    expect(wrong).toEqual([]);
  });
});
