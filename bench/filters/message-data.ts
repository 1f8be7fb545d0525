import type { Connection } from '../../src/storage/session.js';
import { addressSql, CHAINS, chainAt, hashSql, insertMessages } from '../../test/harness/generated-evm.js';

const MAINNET = 850_000;
const FUJI = 150_000;

/** What a message has that can be filtered by: row ids of chains, numbers of addresses. */
export interface Ends {
  source: number;
  destination: number;
  from: number;
  to: number;
}

/**
 * Values that each match more than 100,000 messages alone. Two of a kind match none where both are of A, one
 * where the earlier end is of A and the later of B, ten where it is the other way round, and many where both
 * are of B. Those of C are of all messages of fuji; of A it has none, of B one message, and mainnet has ten
 * messages of C.
 */
export const hot: Record<'A' | 'B' | 'C', Ends> = {
  A: { source: 1, destination: 2, from: 1, to: 2 },
  B: { source: 3, destination: 4, from: 3, to: 4 },
  C: { source: 61, destination: 62, from: 5, to: 6 },
};

/** Values that match 0, 1 and 10 messages alone. */
export const few = {
  // Those that match no message here match many at the other end.
  source: [hot.A.destination, 64, 66],
  destination: [hot.A.source, 65, 67],
  either: [63, 64, 68],
  from: [hot.A.to, 10, 11],
  to: [hot.A.from, 12, 13],
  // The gateway knows two networks, and both have many rows: these exist only in the database of this
  // benchmark.
  network: ['of_none', 'of_one', 'of_ten'],
} as const;

type FewMessages = [times: number, network: string, ends: Partial<Ends>];

const { A, B, C } = hot;
const fewMessages: FewMessages[] = [
  [1, 'mainnet', { ...B, source: A.source }],
  [1, 'mainnet', { destination: A.destination, from: B.from, to: B.to }],
  [1, 'mainnet', { from: A.from, to: B.to }],
  [10, 'mainnet', { source: B.source, destination: A.destination }],
  [10, 'mainnet', { source: B.source, destination: B.destination, from: A.from }],
  [10, 'mainnet', { ...B, to: A.to }],
  [10, 'mainnet', C],
  [1, 'fuji', B],
  [1, 'mainnet', { source: few.source[1] }],
  [10, 'mainnet', { source: few.source[2] }],
  [1, 'mainnet', { destination: few.destination[1] }],
  [10, 'mainnet', { destination: few.destination[2] }],
  [5, 'mainnet', { source: few.either[2] }],
  [5, 'mainnet', { destination: few.either[2] }],
  [1, 'mainnet', { from: few.from[1] }],
  [10, 'mainnet', { from: few.from[2] }],
  [1, 'mainnet', { to: few.to[1] }],
  [10, 'mainnet', { to: few.to[2] }],
  [1, few.network[1], {}],
  [10, few.network[2], {}],
];

/** Adds networks to the database; PostgreSQL requires a commit before they are used. */
export async function addNetworks(client: Connection): Promise<void> {
  for (const name of few.network) await client.query(`ALTER TYPE network ADD VALUE IF NOT EXISTS '${name}'`);
}

/** Makes a million messages and a few in a database that has none. */
export async function makeMessages(client: Connection): Promise<void> {
  // An aborted attempt has used up row ids, which the generator counts from 1.
  await client.query('ALTER SEQUENCE icm_chain_id_seq RESTART');
  await insertMessages(client, MAINNET, async () => {
    await insertChains(client);
    await insertFuji(client);
    await insertFew(client);
  });
}

// On mainnet a blockchain belongs to one network. Here each belongs to all, so that the filters by chain and
// by network can both match many messages and together few.
async function insertChains(client: Connection): Promise<void> {
  for (const network of ['fuji', ...few.network]) {
    await client.query(
      `INSERT INTO icm_chain (network, blockchain_id, evm_chain_id)
       SELECT $1, blockchain_id, evm_chain_id FROM icm_chain WHERE network = 'mainnet' ORDER BY id`,
      [network],
    );
  }
  // A chain's EVM id is looked up here too.
  await client.query(
    `INSERT INTO chain (evm_chain_id, blockchain_id, status, chain_name, description, vm_name, rpc_url, is_testnet,
       enabled_features, network_token)
     SELECT 1000 + place, id, 'OK', 'Chain ' || place, '', 'EVM', '', false, '{}', '{}'
     FROM unnest($1::text[]) WITH ORDINALITY AS chain(id, place)`,
    [Array.from({ length: CHAINS }, (_, index) => chainAt(index + 1))],
  );
}

const chainSql = (network: string, position: string) =>
  `(SELECT c.id FROM icm_chain c WHERE c.network = ${network} AND c.evm_chain_id = 1000 + ${position})`;

async function insertFuji(client: Connection): Promise<void> {
  const chain = (index: number) => chainSql(`'fuji'`, String(index));
  // As long in time as mainnet's, whose messages come ten a second.
  await client.query(
    `INSERT INTO icm_message (network, message_id, source_id, destination_id, from_address, to_address, timestamp, details)
     SELECT 'fuji', ${hashSql(`'fuji ' || i`)}, ${chain(C.source)}, ${chain(C.destination)},
       ${addressSql(String(C.from))}, ${addressSql(String(C.to))},
       1700000000 + i * ${MAINNET / 10} / ${FUJI}, '{"status": "pending"}'
     FROM generate_series(1, ${FUJI}::bigint) i ORDER BY ${hashSql('i')}`,
  );
}

async function insertFew(client: Connection): Promise<void> {
  // What is not said is of ends that are of no interest.
  const messages = fewMessages.flatMap(([times, network, ends]) =>
    Array.from({ length: times }, () => ({
      source: 50,
      destination: 51,
      from: 500,
      to: 501,
      ...ends,
      network,
    })),
  );
  await client.query(
    `INSERT INTO icm_message (network, message_id, source_id, destination_id, from_address, to_address, timestamp, details)
     SELECT few.network, ${hashSql(`'few ' || place`)}, ${chainSql('few.network', 'few.source')},
       ${chainSql('few.network', 'few.destination')}, ${addressSql('sender')}, ${addressSql('recipient')},
       1700000000 + place * 997 % ${MAINNET / 10}, '{"status": "pending"}'
     FROM unnest($1::network[], $2::int[], $3::int[], $4::int[], $5::int[])
       WITH ORDINALITY AS few(network, source, destination, sender, recipient, place)`,
    [
      messages.map(({ network }) => network),
      messages.map(({ source }) => source),
      messages.map(({ destination }) => destination),
      messages.map(({ from }) => from),
      messages.map(({ to }) => to),
    ],
  );
}
