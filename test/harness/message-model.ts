import fc from 'fast-check';
import type { Storage } from '../../src/storage/open.js';
import { addresses, deliveryAt, hashAt, idOf, messageRow, sourceAt } from './evm-rows.js';
import { poolOf } from './connections.js';
import { importRows } from './seed.js';

export const evmIds = ['1001', '1002', '1003'] as const;
export const blockchainOf = (evmId: string) => idOf(`chain ${evmId}`);

export interface Message {
  network: 'mainnet' | 'fuji';
  number: number;
  /** EVM ids. */
  source: string;
  destination: string;
  from: string;
  to: string;
  timestamp: number;
  delivered: boolean;
  sourceIndexed: boolean;
  /** Where its source logged it, if that is known. */
  log?: { block: number; index: number } | undefined;
}

const moments = [1_700_000_000, 1_700_000_001, 4_294_967_296] as const;

// Few different times, ids that differ in their last digits alone, chains and addresses that repeat.
export const messages = fc
  .array(
    fc.record({
      network: fc.constantFrom('mainnet' as const, 'fuji' as const),
      source: fc.constantFrom(...evmIds),
      destination: fc.constantFrom(...evmIds),
      from: fc.constantFrom(...addresses.slice(0, 2)),
      to: fc.constantFrom(...addresses.slice(0, 3)),
      timestamp: fc.constantFrom(...moments),
      delivered: fc.boolean(),
      sourceIndexed: fc.boolean(),
      log: fc.option(
        fc.record({ block: fc.integer({ min: 9, max: 10 }), index: fc.integer({ min: 0, max: 3 }) }),
        {
          nil: undefined,
        },
      ),
    }),
    { maxLength: 70 },
  )
  .map((rows) => rows.map((row, number): Message => ({ ...row, number })));

// Half of all lists have none, so that not every list comes out empty.
export const sometimes = { nil: undefined, freq: 2 };

/** Bounds of time, as a list of messages takes them. */
export const times = {
  since: fc.option(fc.constantFrom(0, ...moments, '18446744073709551615'), sometimes),
  until: fc.option(fc.constantFrom(0, ...moments, '18446744073709551615'), sometimes),
};
export type Times = { [Name in keyof typeof times]?: number | string | undefined };

export const isWithin = ({ timestamp }: Message, { since = 0, until = '18446744073709551615' }: Times) =>
  BigInt(timestamp) >= BigInt(since) && BigInt(timestamp) < BigInt(until);

export const idOfMessage = ({ number }: Pick<Message, 'number'>) => hashAt(number).slice(2);

/** Ids of messages in the order of their lists. */
export const newestFirst = (rows: readonly Message[]) =>
  rows
    .toSorted((a, b) => b.timestamp - a.timestamp || positionOf(b) - positionOf(a) || b.number - a.number)
    .map(idOfMessage);

/** A number by which messages of one second sort: only of a message whose source is stored it is known. */
const positionOf = ({ sourceIndexed, delivered, log }: Message) =>
  log && (sourceIndexed || !delivered) ? log.block * 10 + log.index : 0;

const toRow = ({
  source,
  destination,
  from,
  to,
  timestamp,
  delivered,
  sourceIndexed,
  log,
  ...row
}: Message) =>
  messageRow({
    ...(log && { sourceBlockNumber: String(log.block), sourceLogIndex: log.index }),
    messageId: idOfMessage(row),
    sourceBlockchainId: blockchainOf(source),
    destinationBlockchainId: blockchainOf(destination),
    sourceEvmChainId: source,
    destinationEvmChainId: destination,
    from,
    to,
    sourceTransaction: sourceIndexed || !delivered ? sourceAt(timestamp) : undefined,
    destinationTransaction: delivered ? deliveryAt(sourceIndexed ? timestamp + 5 : timestamp) : undefined,
  });

export async function importMessages(storage: Storage, rows: readonly Message[]): Promise<void> {
  for (const network of ['mainnet', 'fuji'] as const) {
    const own = rows.filter((row) => row.network === network);
    await importRows(storage, `${network}.icm.messages`, own.map(toRow));
  }
}

/** The days of messages that are stored, and those that the stored messages add up to. */
export async function messageDays(storage: Storage): Promise<[stored: unknown[], counted: unknown[]]> {
  const day = '(timestamp / 86400)::int AS day';
  const rowsOf = async (sql: string) =>
    (await poolOf(storage).query(`SELECT row(d.*)::text AS row FROM (${sql}) d ORDER BY 1`))
      .rows as unknown[];
  return [
    await rowsOf('SELECT network, day, chain_id, sent, received FROM message_day'),
    await rowsOf(
      `SELECT network, day, chain_id, sum(sent) AS sent, sum(received) AS received FROM (
         SELECT network, ${day}, source_id AS chain_id, 1 AS sent, 0 AS received FROM icm_message
         UNION ALL SELECT network, ${day}, destination_id, 0, 1 FROM icm_message) m GROUP BY 1, 2, 3`,
    ),
  ];
}
