import { toBytea } from '../../avalanche/evm.js';
import type { Network } from '../../avalanche/networks.js';
import type { Beginning } from '../../avalanche/text/beginning.js';
import type { Reader } from '../../storage/reader.js';
import { bind, statement } from '../../storage/statement.js';
import { blocksOn, ending, inRange, MOST_READ, type FoundId } from './beginning-list.js';

const ADDRESS_DIGITS = 40;
const HASH_DIGITS = 64;

/** Bytes between a beginning with zeros and the same with ones after it, which are those that begin so. */
const between = (column: string) => `${column} >= :low::bytea AND ${column} <= :high::bytea`;

/** The first of a column's values that begin so, by an index that has them after the condition. */
const first = (column: string, table: string, condition: string) => `(
  SELECT ${column} AS bytes FROM ${table} WHERE ${condition} AND ${between(column)} ORDER BY ${column} LIMIT :most)`;

const onChains = (columns: readonly string[]) => `
  SELECT found.bytes FROM unnest(:chains::bigint[]) AS wanted(chain)
  CROSS JOIN LATERAL (${columns.join(' UNION ALL ')}) found`;

const addresses = (from: string) =>
  ending([
    `SELECT 'EVM_ADDRESS' AS kind, NULL::network AS network, '0x' || encode(each.bytes, 'hex') COLLATE "C" AS id FROM (${from}) each`,
  ]);

// Each is its own statement, because the tables may be on several servers of Citus.
const addressesFrom = [
  statement('search_evm_addresses_from', addresses(first('a.address', 'evm_address a', 'true'))),
  statement(
    'search_frame_addresses_from',
    addresses(
      onChains([
        first('i.from_address', 'internal_tx i', 'i.evm_chain_id = wanted.chain'),
        first(
          'i.to_address',
          'internal_tx i',
          'i.evm_chain_id = wanted.chain AND i.to_address <> i.from_address',
        ),
      ]),
    ),
  ),
  statement(
    'search_other_addresses_from',
    addresses(
      `${onChains([
        first('t.address', 'nft_token t', 't.evm_chain_id = wanted.chain'),
        first('t.owner', 'nft_token t', 't.evm_chain_id = wanted.chain AND t.owner IS NOT NULL'),
      ])}
      UNION ALL SELECT found.bytes FROM unnest(:networks::network[]) AS n(network)
      CROSS JOIN LATERAL (${[
        first('m.from_address', 'icm_message m', 'm.network = n.network'),
        first('m.to_address', 'icm_message m', 'm.network = n.network'),
      ].join(' UNION ALL ')}) found`,
    ),
  ),
];

const transactionOf = (side: string) => {
  const hash = `m.details #>> '{${side}Transaction,txHash}'`;
  return `SELECT 'EVM_TRANSACTION' AS kind, found.network, found.id COLLATE "C" AS id FROM (
    SELECT m.network, ${hash} AS id FROM icm_message m WHERE ${inRange(`(${hash})`)} ORDER BY ${hash} LIMIT :most) found
    WHERE found.network = ANY (:networks::network[])`;
};

const hashesFrom = [
  statement(
    'search_frame_hashes_from',
    ending([
      `SELECT 'EVM_TRANSACTION' AS kind, NULL::network AS network, '0x' || encode(each.bytes, 'hex') COLLATE "C" AS id
       FROM (${onChains([first('i.tx_hash', 'internal_tx i', 'i.evm_chain_id = wanted.chain')])}) each`,
    ]),
  ),
  statement(
    'search_other_hashes_from',
    ending([
      transactionOf('source'),
      transactionOf('destination'),
      blocksOn('c'),
      `SELECT 'ICM_MESSAGE' AS kind, n.network, '0x' || encode(found.bytes, 'hex') COLLATE "C" AS id
       FROM unnest(:networks::network[]) AS n(network)
       CROSS JOIN LATERAL (${first('m.message_id', 'icm_message m', 'm.network = n.network')}) found`,
    ]),
  ),
];

/**
 * The stored EVM addresses and hashes that begin and end so, with 0x and in lower case; of interchain
 * messages too.
 *
 * @param chains EVM chain ids of those whose internal transactions and NFTs are looked through
 * @param shown most of each statement
 */
export async function readHexFrom(
  storage: Reader,
  { start: digits, end }: Beginning,
  { chains, networks }: { chains: readonly string[]; networks: readonly Network[] },
  shown: number,
): Promise<FoundId[]> {
  const most = end === '' ? shown : MOST_READ;
  const asked = [
    ...(digits.length <= ADDRESS_DIGITS ? addressesFrom.map((each) => [each, ADDRESS_DIGITS] as const) : []),
    ...hashesFrom.map((each) => [each, HASH_DIGITS] as const),
  ];
  const found = await Promise.all(
    asked.map(([each, length]) => {
      const [low, high] = ['0', 'f'].map((digit) => toBytea(`0x${digits.padEnd(length, digit)}`));
      const values = { low, high, start: `0x${digits}`, end, chains, networks, most, shown };
      return storage.read<FoundId>(each, bind(each, values));
    }),
  );
  return found.flat();
}
