import type { Connection } from '../../src/storage/session.js';
import { addressSql, hashSql, insertFrames } from '../../test/harness/generated-evm.js';

/** Three quarters of them are of one address. */
const FRAMES = 1_334_000;
const GAP = 1_000_000;

/** How an address takes part in all of its internal transactions. */
export const roles = ['sender', 'receiver', 'either'] as const;
export type Role = (typeof roles)[number];

/** Numbers of the addresses with many in both halves, and few between, before and after; see fewBlocks. */
export const hotAddresses: Record<Role, number> = { sender: 4, receiver: 5, either: 1 };
/** Numbers of addresses that have 0, 1 and 10 in all. */
export const coldAddresses = {
  sender: [99, 20, 21],
  receiver: [99, 22, 23],
  either: [99, 24, 25],
} as const;

/** Blocks in which a hot address has few, and how many. Its others are of blocks 1,000 to 1,067,700. */
const fewBlocks = [
  { block: 100, times: 1 },
  { block: 500, times: 9 },
  // In the gap, blocks 34,351 to 1,034,349.
  { block: 500_000, times: 9 },
  { block: 600_000, times: 1 },
  { block: 2_000_000, times: 9 },
  { block: 3_000_000, times: 1 },
];

/** A filtered range of blocks; a bound that is absent is not filtered by. */
export interface Blocks {
  startBlock?: string;
  endBlock?: string;
}

/**
 * By the filters that are used: a range with many of every hot address, and ranges with 0, 1 and 10 of each.
 */
export const ranges: { many: Blocks; few: [Blocks, Blocks, Blocks] }[] = [
  {
    many: { startBlock: '1040000' },
    few: [{ startBlock: '3500000' }, { startBlock: '2500000' }, { startBlock: '1500000' }],
  },
  {
    many: { endBlock: '30000' },
    few: [{ endBlock: '50' }, { endBlock: '200' }, { endBlock: '600' }],
  },
  {
    // Over the gap, and page 10,000 lies beyond it.
    many: { startBlock: '20000', endBlock: '1050000' },
    few: [
      { startBlock: '700000', endBlock: '800000' },
      { startBlock: '550000', endBlock: '650000' },
      { startBlock: '450000', endBlock: '650000' },
    ],
  },
];

interface Frame {
  from: number;
  to: number;
  block: number;
}

/** The address's part in its internal transaction of this number. */
function frame(role: Role, address: number, index: number, block: number): Frame {
  const sends = role === 'sender' || (role === 'either' && index % 2 === 0);
  return sends ? { from: address, to: 100 + index, block } : { from: 100 + index, to: address, block };
}

function fewFrames(role: Role): Frame[] {
  const [, one, ten] = coldAddresses[role];
  return [
    ...fewBlocks.flatMap(({ block, times }) =>
      Array.from({ length: times }, (_, index) => frame(role, hotAddresses[role], index, block)),
    ),
    // The frame of an address that should be on both sides goes from it to itself.
    role === 'either' ? { from: one, to: one, block: 5000 } : frame(role, one, 0, 5000),
    ...Array.from({ length: 10 }, (_, index) => frame(role, ten, index, 6000 + 100 * index)),
  ];
}

/** Makes a million internal transactions of an address, and others, in a database that has none. */
export async function makeFrames(client: Connection): Promise<void> {
  await insertFrames(client, FRAMES, { gap: GAP });
  const frames = roles.flatMap(fewFrames);
  await client.query(
    `INSERT INTO internal_tx (evm_chain_id, tx_hash, position, tie, block_number, block_timestamp, block_hash,
       from_address, to_address, from_party, to_party, type, value, is_reverted, gas_used, gas_limit)
     SELECT 7, ${hashSql(`'few ' || place`)}, 0, 0, block, 1700000000 + block, ${hashSql('block')},
       ${addressSql('sender')}, ${addressSql('receiver')}, '{}', '{}', 'CALL', 1, false, 0, 0
     FROM unnest($1::int[], $2::int[], $3::bigint[]) WITH ORDINALITY AS few(sender, receiver, block, place)`,
    [frames.map(({ from }) => from), frames.map(({ to }) => to), frames.map(({ block }) => block)],
  );
}
