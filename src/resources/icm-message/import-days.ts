import { networks, type Network } from '../../avalanche/networks.js';
import { dayOf } from '../../avalanche/seconds.js';
import type { Derivation, SumTable } from '../../write/derived/table.js';

/** What of a message the numbers of its day are made of. */
export interface DatedMessage {
  network: Network;
  /** Row ids of icm_chain. */
  sourceId: number;
  destinationId: number;
  /** Unix seconds, a decimal text. */
  timestamp: string;
}

/** See the model MessageDay. */
const messageDays: SumTable<DatedMessage> = {
  name: 'message_day',
  key: { network: 'network', day: 'integer', chain_id: 'integer' },
  sums: { sent: 'bigint', received: 'bigint' },
  summands({ network, sourceId, destinationId, timestamp }) {
    const day = dayOf(Number(timestamp));
    return [
      { key: [network, day, sourceId], sums: [1n, 0n] },
      { key: [network, day, destinationId], sums: [0n, 1n] },
    ];
  },
};

/** The tables that are derived from messages alone. */
export const derivedFromMessages = [messageDays] as const;

/** What is derived from messages, and how these are read again. */
export const messageDerivation: Derivation<DatedMessage> = {
  source: 'icm_message',
  tables: derivedFromMessages,
  locks: networks,
  async read(client, after, { rows }) {
    const { rows: found } = await client.query<DatedMessage & { id: string }>(
      `SELECT id::text, network, source_id AS "sourceId", destination_id AS "destinationId", timestamp::text
       FROM icm_message WHERE id > $1 ORDER BY id LIMIT $2`,
      [after, rows],
    );
    return { items: found, last: found.at(-1)?.id ?? null };
  },
};
