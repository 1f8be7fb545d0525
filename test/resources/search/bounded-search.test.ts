import { afterAll, beforeAll, expect, test } from 'vitest';
import { EVM_MAX } from '../../../src/avalanche/evm.js';
import { LAST_DAY } from '../../../src/resources/evm-holding/day.js';
import { chainInternalTxList, internalTxList } from '../../../src/resources/internal-tx/list.js';
import { ownedTokenList } from '../../../src/resources/nft/list.js';
import {
  chainsOfHoldings,
  chainsOfMessages,
  chainsOfToken,
  isStoredAddress,
  MOST_CHAINS,
  readEvmChains,
} from '../../../src/resources/search/store.js';
import type { Storage } from '../../../src/storage/open.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { touchedByReading } from '../../harness/buffers.js';
import { poolOf } from '../../harness/connections.js';
import {
  addressAt,
  addressSql,
  CHAINS,
  generateFrames,
  generateMessages,
} from '../../harness/generated-evm.js';

const FRAMES = 60_000;
const ROWS = 60_000;
const MESSAGES = 40_000;
/** Blocks for one chain: the way through an index or two, with a row. All tables have thousands of blocks. */
const EACH = 8;

/** As many chains as a search looks at, one of which has everything. */
const chains = Array.from({ length: MOST_CHAINS }, (_, index) => String(index + 1));

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({ STATEMENT_TIMEOUT_MS: '300000' });
  const pool = poolOf(gateway.storage);
  await generateFrames(pool, FRAMES);
  await pool.query(
    `INSERT INTO chain (evm_chain_id, blockchain_id, status, chain_name, description, vm_name, rpc_url, is_testnet,
       enabled_features, network_token)
     SELECT i, 'blockchain ' || i, 'OK', 'chain', '', 'EVM', '', false, '{}', '{}' FROM generate_series(1, 5000) i`,
  );
  // Messages of some of the chains, which know the EVM ids of all, and those of one more network by their
  // other ids.
  await generateMessages(pool, MESSAGES);
  await pool.query('UPDATE icm_chain SET evm_chain_id = id');
  await pool.query(
    `INSERT INTO icm_chain (network, blockchain_id, evm_chain_id)
     SELECT 'mainnet'::network, 'other ' || i, i FROM generate_series(${CHAINS} + 1, 5000) i
     UNION ALL SELECT 'fuji', 'blockchain ' || i, 0 FROM generate_series(1, 5000) i`,
  );
  await pool.query(
    `INSERT INTO evm_address (address, checksummed)
     SELECT ${addressSql('i')}, 'address ' || i FROM generate_series(1, ${ROWS}) i`,
  );
  // A chain with many tokens, and one holding with nearly all balances.
  await pool.query(
    `INSERT INTO evm_holding (evm_chain_id, kind, contract)
     SELECT 7, 'native'::evm_holding_kind, ''::bytea
     UNION ALL SELECT 7, 'erc20', ${addressSql('i')} FROM generate_series(1000, 6000) i`,
  );
  await pool.query(
    `INSERT INTO evm_balance (holding_id, address_id, day, until_day, previous, balance)
     SELECT (SELECT min(id) FROM evm_holding), 1 + i % 10, 100 + i / 10, ${LAST_DAY}, 0, 1
     FROM generate_series(1, ${ROWS}) i`,
  );
  await pool.query(
    `INSERT INTO nft_token (evm_chain_id, address, token_id, owner)
     SELECT 7, ${addressSql('1 + i % 3')}, i, ${addressSql('1 + i % 2')} FROM generate_series(1, ${ROWS}) i`,
  );
  await pool.query(
    `INSERT INTO address (network, address) SELECT 'fuji', 'fuji' || i FROM generate_series(1, ${ROWS}) i`,
  );
  await pool.query(
    'VACUUM (ANALYZE) chain, evm_address, evm_holding, evm_balance, nft_token, address, icm_chain, icm_message',
  );
});
afterAll(() => gateway?.close());

const firstRow = { direction: 'forward', limit: 0, after: null, before: null } as const;
const allBlocks = { startBlock: 0n, endBlock: EVM_MAX };
const pagesOf = <Query>(queryOf: (evmChainId: string) => Query) =>
  chains.map((evmChainId) => ({ query: queryOf(evmChainId), request: firstRow })) as [
    { query: Query; request: typeof firstRow },
  ];
const hash = `0x${'77'.repeat(32)}`;

test.each<[title: string, read: (storage: Storage, address: string) => Promise<unknown>, most: number]>([
  ['the chains that are searched', (storage) => readEvmChains(storage), MOST_CHAINS / 4],
  ['an address of the primary network', (storage) => isStoredAddress(storage, 'fuji', 'fuji7'), EACH],
  [
    'what names an address in internal transactions',
    (storage, address) =>
      internalTxList.readBatch(
        storage,
        pagesOf((evmChainId) => ({ evmChainId, address, ...allBlocks })),
      ),
    EACH * MOST_CHAINS,
  ],
  [
    'what names an address in messages',
    (storage, address) => chainsOfMessages(storage, chains, address),
    // By two ids of each chain, sent and received.
    4 * EACH * MOST_CHAINS,
  ],
  [
    'the internal transactions of a hash',
    (storage) =>
      chainInternalTxList.readBatch(
        storage,
        pagesOf((evmChainId) => ({ evmChainId, txHash: hash, blockNumber: null, ...allBlocks })),
      ),
    EACH * MOST_CHAINS,
  ],
  [
    'the NFTs of an owner',
    (storage, owner) =>
      ownedTokenList.readBatch(
        storage,
        pagesOf((evmChainId) => ({ evmChainId, owner, collection: null })),
      ),
    EACH * MOST_CHAINS,
  ],
  [
    'the balances and the tokens of a contract',
    (storage, address) => chainsOfHoldings(storage, chains, address),
    EACH * MOST_CHAINS,
  ],
  [
    'a token of a contract',
    (storage, address) => chainsOfToken(storage, chains, address, '7'),
    EACH * MOST_CHAINS,
  ],
])(
  'a search reads few blocks of %s, on a thousand chains and for any address',
  async (_title, read, most) => {
    for (const plan of ['generic', 'custom'] as const)
      // One of which there is very much, one with a little, and one that is nowhere.
      for (const address of [addressAt(1), addressAt(3), addressAt(999_999)]) {
        const { buffers } = await touchedByReading(
          gateway.storage,
          (storage) => read(storage, address),
          plan,
        );

        expect(buffers).toBeLessThan(most);
      }
  },
);
