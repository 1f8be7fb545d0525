import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EVM_MAX } from '../../../src/avalanche/evm.js';
import { networks } from '../../../src/avalanche/networks.js';
import { beginningsOf } from '../../../src/avalanche/text/beginning.js';
import { LAST_DAY } from '../../../src/resources/evm-holding/day.js';
import { chainInternalTxList, internalTxList } from '../../../src/resources/internal-tx/list.js';
import { ownedTokenList } from '../../../src/resources/nft/list.js';
import { readIdsFrom } from '../../../src/resources/search/beginning-list.js';
import { readHexFrom } from '../../../src/resources/search/hex-list.js';
import { readNamesFrom } from '../../../src/resources/search/name-list.js';
import {
  chainsOfHoldings,
  chainsOfMessages,
  chainsOfToken,
  isStoredAddress,
  MOST_CHAINS,
  MOST_CHAINS_OF_BEGINNING,
  readEvmChains,
} from '../../../src/resources/search/store.js';
import type { Storage } from '../../../src/storage/open.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { touchedByAllOf, touchedByReading } from '../../harness/buffers.js';
import { poolOf } from '../../harness/connections.js';
import { withLateIndexes } from '../../harness/late-indexes.js';
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
/** Of each table of the ledger. */
const NAMED = 20_000;
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
  // Ids that all begin alike but for ten, and names that strangers chose: half are the same.
  await withLateIndexes(pool, 'transaction', () =>
    pool.query(
      `INSERT INTO transaction (network, chain, tx_hash, tx_type, block_timestamp, details, tie)
       SELECT 'fuji', 'p', ${idSql('transaction')}, 'CreateChainTx', i,
         jsonb_build_object('blockchainInfo', jsonb_build_object('chainName', ${nameSql('i')})), i
       FROM generate_series(1, ${NAMED}) i`,
    ),
  );
  await withLateIndexes(pool, 'utxo', () =>
    pool.query(
      `INSERT INTO utxo (network, utxo_id, tx_hash, output_index, created_on, consumed_on, asset_row_id, amount, addresses,
         utxo_type, tie)
       SELECT 'fuji', ${idSql('output')}, 'x', 0, 'p', 'p', 1, 1, '{}', 'TRANSFER', i FROM generate_series(1, ${NAMED}) i`,
    ),
  );
  for (const [table, id] of [
    ['subnet', 'subnet_id'],
    ['validator', 'node_id'],
    ['l1_validator', 'validation_id'],
  ] as const)
    await pool.query(
      `INSERT INTO ${table} (network, ${id})
       SELECT 'fuji', ${table === 'validator' ? `'NodeID-' || ` : ''}${idSql(table)} FROM generate_series(1, ${NAMED}) i`,
    );
  await pool.query(
    `INSERT INTO block (network, chain, number, timestamp, hash)
     SELECT 'fuji', 'p', i, i, md5('block ' || i) FROM generate_series(1, ${NAMED}) i`,
  );
  await pool.query(
    `INSERT INTO asset (network, asset_id, name, symbol, denomination, type)
     SELECT 'fuji', ${idSql('asset')}, ${nameSql('i')}, 'TOKEN', 9, 'secp256k1' FROM generate_series(1, ${NAMED}) i`,
  );
  await pool.query(`UPDATE nft_token SET name = ${nameSql('token_id')}`);
  await pool.query('VACUUM (ANALYZE) transaction, utxo, subnet, validator, l1_validator, block, asset');
  await pool.query(
    'VACUUM (ANALYZE) chain, evm_address, evm_holding, evm_balance, nft_token, address, icm_chain, icm_message',
  );
});
afterAll(() => gateway?.close());

/** Ids of which all but the first ten begin with `same`. */
function idSql(of: string): string {
  return `CASE WHEN i <= 10 THEN '' ELSE 'same' END || md5('${of} ' || i)`;
}
/** A name that half of all have, and one that begins like it. */
function nameSql(number: string): string {
  return `CASE WHEN ${number} % 2 = 0 THEN 'Token' ELSE 'Token Chain ' || ${number} END`;
}

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

/** Most ranges of one statement: of tables and chains, or of names and words. */
const RANGES = 24;
const SHOWN = 6;
const md5 = (text: string) => createHash('md5').update(text).digest('hex');
const chainsOfBeginning = chains.slice(0, MOST_CHAINS_OF_BEGINNING);

describe.each(['generic', 'custom'] as const)(
  'a beginning is a range of each index, however many begin so, and ends at once where none does (%s plan)',
  (plan) => {
    const ids =
      (of: 'id' | 'node', start: string, end = '') =>
      (storage: Storage) =>
        readIdsFrom(storage, { of, start, end }, networks, SHOWN);
    const hex = (text: string) => async (storage: Storage) => {
      const beginning = beginningsOf(text).find((each) => each.of === 'hex');
      if (beginning) await readHexFrom(storage, beginning, { chains: chainsOfBeginning, networks }, SHOWN);
    };
    const names = (text: string) => (storage: Storage) => readNamesFrom(storage, text, networks, SHOWN);

    test.each<[string, (storage: Storage) => Promise<unknown>, most: number, rows?: number]>([
      ['of one id', ids('id', md5('transaction 1').slice(0, 8)), EACH * RANGES, 1],
      ['of one block', ids('id', md5('block 7').slice(0, 8)), EACH * RANGES, 1],
      ['of nearly all ids', ids('id', 'same'), EACH * RANGES, SHOWN],
      ['of no id', ids('id', 'zzzzzzzz'), EACH * RANGES, 0],
      ['of nearly all nodes', ids('node', 'NodeID-same'), EACH * 2, SHOWN],
      ['of nearly all ids, and an end', ids('id', 'same', 'none'), 100 * EACH * RANGES, 0],
      ['of one EVM address', hex(addressAt(7).slice(0, 20)), 20 * chainsOfBeginning.length],
      ['of all EVM addresses', hex(addressAt(7).slice(0, 10)), 20 * chainsOfBeginning.length],
      ['of no EVM address', hex('0xfedcba98'), 20 * chainsOfBeginning.length],
      ['of one name', names('token chain 77'), EACH * RANGES],
      ['of half of all names', names('Token'), EACH * RANGES],
      ['of the second words of half of them', names('chain'), EACH * RANGES],
      ['of no name', names('zzzzzzzz'), EACH * RANGES, 0],
    ])('%s', async (_title, read, most, expected) => {
      const { buffers, rows, indexes } = await touchedByAllOf(gateway.storage, read, plan);
      expect(buffers).toBeLessThan(most);
      if (expected !== undefined) expect(rows).toBe(expected);
      expect(indexes).not.toEqual([]);
    });

    test('by the indexes that are for it', async () => {
      expect((await touchedByAllOf(gateway.storage, ids('id', 'same'), plan)).indexes).toEqual([
        'asset_network_asset_id_key',
        'block_hash_idx',
        'chain_blockchain_id_idx',
        'l1_validator_network_validation_id_key',
        'subnet_network_subnet_id_key',
        'transaction_network_chain_tx_hash_key',
        'utxo_network_utxo_id_key',
        'vertex_network_vertex_hash_key',
      ]);
      const { indexes } = await touchedByAllOf(gateway.storage, names('token'), plan);
      expect(indexes.filter((name) => /name|symbol/.test(name))).toEqual([
        'asset_name_2_idx',
        'asset_name_3_idx',
        'asset_name_idx',
        'asset_symbol_idx',
        'chain_name_2_idx',
        'chain_name_3_idx',
        'chain_name_idx',
        'nft_token_name_idx',
        'transaction_chain_name_2_idx',
        'transaction_chain_name_3_idx',
        'transaction_chain_name_idx',
      ]);
    });
  },
);
