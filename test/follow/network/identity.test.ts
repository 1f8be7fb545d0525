import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { blockchainIds, nativeAssetIds } from '../../../src/avalanche/networks.js';
import { adoptIdentity } from '../../../src/follow/network/identity.js';
import type { NodeFacts } from '../../../src/follow/network/node-facts.js';
import { contentsOf, loadSample, loadSampleOnce } from '../../../src/load-sample.js';
import { pino } from 'pino';
import { createImportDatabase, runImport, type ImportDatabase } from '../../harness/ingest.js';
import { idOf, utxoRow } from '../../harness/ledger-rows.js';
import { ownFacts, ownRow } from '../../harness/own-network.js';

const silent = pino({ level: 'silent' });
const fuji: NodeFacts = {
  networkId: 5n,
  genesis: idOf('fuji genesis'),
  xChainId: blockchainIds.fuji.x,
  cChainId: blockchainIds.fuji.c,
  avaxAssetId: nativeAssetIds.fuji,
  cEvmChainId: 43113n,
};
const mainnet: NodeFacts = {
  networkId: 1n,
  genesis: idOf('mainnet genesis'),
  xChainId: blockchainIds.mainnet.x,
  cChainId: blockchainIds.mainnet.c,
  avaxAssetId: nativeAssetIds.mainnet,
  cEvmChainId: 43114n,
};
const fresh =
  'Nothing was written. Use a separate database for this network: set DATA_DIR to a new folder, or DATABASE_URL to an empty database.';

let database: ImportDatabase;
beforeEach(async () => (database = await createImportDatabase()));
afterEach(() => database.close());

const adopt = (facts: NodeFacts, as?: string) =>
  adoptIdentity(facts, { as, storage: database.storage, contents: contentsOf });
const rows = () => database.storage.prisma.followNetwork.findMany({ orderBy: { network: 'asc' } });

describe('the name', () => {
  test('of the public networks is their own, and both may be in one database', async () => {
    expect([await adopt(mainnet), await adopt(fuji)]).toEqual(['mainnet', 'fuji']);
    expect(await rows()).toEqual([
      { ...mainnet, network: 'mainnet', hrp: 'avax', importing: null },
      { ...fuji, network: 'fuji', hrp: 'fuji', importing: null },
    ]);
  });

  test('of any other one is fuji, if that is asked for', async () => {
    expect(await adopt(ownFacts, 'fuji')).toBe('fuji');
    expect(await rows()).toEqual([ownRow]);
  });

  test.each([
    [
      ownFacts,
      undefined,
      'The node belongs to the network 1337, which is neither mainnet nor fuji. Give --as fuji to show',
    ],
    [ownFacts, 'mainnet', '--as mainnet: a network can be shown under another name only as fuji.'],
    [ownFacts, 'mine', '--as mine: a network can be shown under another name only as fuji.'],
    [mainnet, 'fuji', 'The node belongs to mainnet, which is shown under its own name: leave out --as fuji.'],
    [{ ...fuji, xChainId: idOf('x') }, undefined, 'but its chains are not those of fuji'],
  ])('is refused: $0.networkId as $1', async (facts, as, message) => {
    await expect(adopt(facts, as)).rejects.toThrow(message);
    expect(await rows()).toEqual([]);
  });
});

describe('a database', () => {
  test('that has this network is left as it is, also when it has rows', async () => {
    await adopt(ownFacts, 'fuji');
    const own = { createdOnChainId: ownFacts.xChainId, consumedOnChainId: ownFacts.xChainId };
    await runImport(database.storage, [
      database.write('fuji.x-chain.utxos.ndjson', [utxoRow('a', own, 'fuji')]),
    ]);
    expect(await contentsOf(await connection())).toBe('rows');
    expect(await adopt(ownFacts, 'fuji')).toBe('fuji');
    expect(await rows()).toEqual([ownRow]);
  });

  test('that has another network under the name is refused, and both are named', async () => {
    await adopt(ownFacts, 'fuji');
    const other = { ...ownFacts, genesis: idOf('another genesis') };
    const held = `contains the network 1337 (genesis ${ownFacts.genesis}) as fuji, but the node belongs to`;
    await expect(adopt(other, 'fuji')).rejects.toThrow(
      `${held} the network 1337 (genesis ${other.genesis}). ${fresh}`,
    );
    await expect(adopt(fuji)).rejects.toThrow(`${held} fuji. ${fresh}`);
    expect(await rows()).toEqual([ownRow]);
  });

  test('that has the sample is refused for every network', async () => {
    await loadSample(database.storage, silent);
    for (const [facts, as] of [[mainnet], [fuji], [ownFacts, 'fuji']] as const)
      await expect(adopt(facts, as)).rejects.toThrow(
        `contains the generated sample, which would be mixed with the data of the node. ${fresh}`,
      );
    expect(await rows()).toEqual([]);
  });

  test('that has imported rows takes the public networks, and no other as fuji', async () => {
    await runImport(database.storage, [database.write('mainnet.p-chain.utxos.ndjson', [utxoRow('a')])]);
    await expect(adopt(ownFacts, 'fuji')).rejects.toThrow(
      `already has rows: the network 1337 (genesis ${ownFacts.genesis}) can be shown as fuji only in an empty database. ${fresh}`,
    );
    expect(await adopt(mainnet)).toBe('mainnet');
    await expect(adopt(ownFacts, 'fuji')).rejects.toThrow('already has rows');
  });

  test('that follows a node gets no sample, even before its first block', async () => {
    await adopt(ownFacts, 'fuji');
    await loadSampleOnce(database.storage, silent);
    expect(await contentsOf(await connection())).toBe('nothing');
  });
});

function connection() {
  return Promise.resolve({
    query: <Row extends object>(text: unknown, values?: unknown[]) =>
      database.storage.session((session) => session.query<Row>(text as string, values)),
  });
}
