import { toBytea } from '../../avalanche/evm.js';
import type { Network } from '../../avalanche/networks.js';
import { parseJson } from '../../json.js';
import type { Batch } from '../../storage/session.js';
import type { NetworkScope } from '../../write/scope.js';
import { writeDerived } from '../../write/derived/write.js';
import { upsertRows, withIds, type Upserted } from '../../write/upsert.js';
import type { IcmDetails } from './details.js';
import { chainIdsOf, keyOf } from './import-chains.js';
import { derivedFromMessages, type DatedMessage } from './import-days.js';
import type { ImportMessage } from './import-row.js';

/** The stored messages among these, by id. */
export async function findMessages(
  client: Batch,
  network: Network,
  messageIds: readonly string[],
): Promise<Map<string, ImportMessage>> {
  const { rows } = await client.query<Record<'id' | 'sb' | 'se' | 'db' | 'de' | 'details' | 'tie', string>>(
    `SELECT encode(m.message_id, 'hex') AS id, s.blockchain_id AS sb, s.evm_chain_id::text AS se,
       d.blockchain_id AS db, d.evm_chain_id::text AS de, m.details::text AS details, m.tie::text AS tie
     FROM icm_message m JOIN icm_chain s ON s.id = m.source_id JOIN icm_chain d ON d.id = m.destination_id
     WHERE m.network = $1 AND m.message_id = ANY($2::bytea[])`,
    [network, messageIds.map((messageId) => `\\x${messageId}`)],
  );
  return new Map(
    rows.map((row) => [
      row.id,
      {
        messageId: row.id,
        source: { blockchainId: row.sb, evmChainId: row.se },
        destination: { blockchainId: row.db, evmChainId: row.de },
        details: parseJson(row.details) as IcmDetails,
        sortKey: row.tie,
        rowId: null,
      },
    ]),
  );
}

/**
 * Writes messages as they are now, their chains, and the numbers of their days.
 *
 * @param stored those of them that are stored, as they were, by id
 */
export async function writeMessages(
  client: Batch,
  { network, keepsInstallation }: NetworkScope,
  stored: ReadonlyMap<string, ImportMessage>,
  messages: readonly ImportMessage[],
): Promise<Upserted> {
  const chainIds = await chainIdsOf(
    client,
    network,
    messages.flatMap(({ source, destination }) => [source, destination]),
  );
  const dated = (message: ImportMessage): DatedMessage => ({
    network,
    sourceId: chainIds.get(keyOf(message.source)) as number,
    destinationId: chainIds.get(keyOf(message.destination)) as number,
    timestamp: timestampOf(message) as string,
  });
  await writeDerived(
    client,
    derivedFromMessages,
    messages.map((after) => {
      const before = stored.get(after.messageId);
      return { before: before ? dated(before) : null, after: dated(after) };
    }),
  );
  const table = {
    name: 'icm_message',
    columns: {
      network: 'network',
      message_id: 'bytea',
      source_id: 'integer',
      destination_id: 'integer',
      from_address: 'bytea',
      to_address: 'bytea',
      timestamp: 'bigint',
      tie: 'bigint',
      details: 'jsonb',
    },
    key: ['network', 'message_id'],
  };
  return upsertRows(
    client,
    withIds(table, keepsInstallation),
    messages.map((message) => {
      const { messageId, source, destination, details, sortKey, rowId } = message;
      return [
        network,
        `\\x${messageId}`,
        chainIds.get(keyOf(source)) ?? null,
        chainIds.get(keyOf(destination)) ?? null,
        toBytea(details.from),
        toBytea(details.to),
        timestampOf(message),
        sortKey,
        JSON.stringify(details),
        ...(keepsInstallation ? [rowId] : []),
      ];
    }),
  );
}

/** Unix seconds; a message has one transaction at least. */
const timestampOf = ({ details: { sourceTransaction, destinationTransaction } }: ImportMessage) =>
  (sourceTransaction ?? destinationTransaction)?.timestamp.toString() ?? null;
