import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adoptIdentities } from '../../../src/avalanche/identity.js';
import { hasAnvil, startAnvil, type Anvil } from '../../harness/anvil.js';
import { excerptGenesis, startExcerptNode } from '../../harness/excerpt-node.js';
import { followOnce } from '../../harness/followed.js';
import { createImportDatabase, type ImportDatabase } from '../../harness/ingest.js';
import { idOf } from '../../harness/ledger-rows.js';
import { chainsOfL1s, saysItsId } from '../../harness/message-chain.js';

/** A chain of an L1 that the recorded P-chain has made. */
const made = {
  evmChainId: 62_642,
  blockchainId: 'nhbso9w6h79x2oPJ7PNX5uBg25t7rGniPRCctJfGzv1ob9hPg',
  chainName: 'chain 948',
  subnetId: '2GiWrMZgnBJuXBYgVeb9UsmtLh2MGX3qE5S3XJgCUAmmUxqwvp',
};

describe.runIf(hasAnvil)('an EVM chain that the P-chain has made', () => {
  let anvil: Anvil;
  let node: Awaited<ReturnType<typeof startExcerptNode>>;
  let database: ImportDatabase;
  beforeAll(async () => {
    [anvil, node, database] = await Promise.all([
      startAnvil(made.evmChainId),
      startExcerptNode(),
      createImportDatabase(),
    ]);
  });
  afterAll(async () => {
    await Promise.all([anvil?.close(), node?.close(), database?.close()]);
    adoptIdentities({});
  });

  test('has the blockchain id, the name and the subnet of the transaction that made it, once that is stored', async () => {
    const given = { urls: [node.url], genesis: excerptGenesis, only: ['p' as const] };
    expect(await followOnce(database.storage, { ...given, l1: [anvil.url] })).toEqual([]);
    // Its first block may be read before the P-chain is: a later batch names it.
    await anvil.call('evm_mine');
    expect(await followOnce(database.storage, { ...given, l1: [anvil.url] })).toEqual([]);
    const row = await database.storage.prisma.chain.findUniqueOrThrow({
      where: { evmChainId: made.evmChainId },
    });
    expect(row).toMatchObject({ ...made, evmChainId: BigInt(made.evmChainId), vmName: 'EVM' });
  });

  test('has them before that transaction is stored if its node names it, and a node of the primary network has it', async () => {
    const other = await createImportDatabase();
    const nameAfter = async (said: string) => {
      await saysItsId(anvil, said);
      await anvil.call('evm_mine');
      const given = { urls: [node.url], genesis: excerptGenesis, only: ['c-atomic' as const] };
      expect(await followOnce(other.storage, { ...given, l1: [anvil.url] })).toEqual([]);
      const { evmChainId } = made;
      return other.storage.prisma.chain.findUniqueOrThrow({ where: { evmChainId } });
    };
    const [, another] = chainsOfL1s;
    for (const wrong of [another.blockchainId, made.subnetId, idOf('no transaction')])
      expect(await nameAfter(wrong)).toMatchObject({ blockchainId: null, chainName: '' });
    const { blockchainId, chainName, subnetId } = made;
    expect(await nameAfter(blockchainId)).toMatchObject({ blockchainId, chainName, subnetId });
    await other.close();
  });
});

test.runIf(!hasAnvil)('npm has no Anvil for this machine', () => {
  expect(hasAnvil).toBe(false);
});
