import type { Batch } from '../../storage/session.js';
import { toBytea } from '../../avalanche/evm.js';
import type { Network } from '../../avalanche/networks.js';
import type { RowKind } from '../../write/kind.js';
import type { FileKind } from '../../ingest/kind.js';
import { readNetworkPart } from '../../ingest/scope.js';
import type { NetworkScope } from '../../write/scope.js';
import { upsertRows, withIds } from '../../write/upsert.js';
import { parseJson } from '../../json.js';
import type { IcmDetails, IcmStatus } from './details.js';
import { readMessage, statusOf, type ImportMessage, type MessageChain } from './import-row.js';

/** Interchain messages of one network. */
export const icmMessageRows: RowKind<ImportMessage, NetworkScope> = {
  tables: ['icm_message', 'icm_chain'],
  lock: ({ network }) => network,
  read: readMessage,
  async write(client, scope, rows) {
    const { network } = scope;
    const messages = await findMessages(
      client,
      network,
      rows.map((row) => row.messageId),
    );
    for (const row of rows) {
      const stored = messages.get(row.messageId);
      messages.set(row.messageId, stored ? mergeMessages(stored, row) : row);
    }
    const { inserted, updated } = await writeMessages(client, scope, [...messages.values()]);
    return { written: inserted + updated, unchanged: rows.length - inserted - updated };
  },
};

/** Files of interchain messages of one network. */
export const icmMessageImport: FileKind<ImportMessage, NetworkScope> = {
  name: 'icm-messages',
  file: /^(?<network>[a-z]+)\.icm\.messages(?:\.|$)/,
  example: 'mainnet.icm.messages.ndjson',
  page: 'messages',
  scope: (parts) => ({ network: readNetworkPart(parts) }),
  rows: icmMessageRows,
};

/**
 * Merges two rows of one message: a value that only one of them knows is kept; for the rest the further stage counts,
 * then the newer row. So a message that was delivered stays delivered, whichever row comes last.
 */
function mergeMessages(stored: ImportMessage, given: ImportMessage): ImportMessage {
  const farther = rank(given) >= rank(stored) ? given : stored;
  const other = farther === given ? stored : given;
  const source = farther.details.sourceTransaction ?? other.details.sourceTransaction;
  const destination = farther.details.destinationTransaction ?? other.details.destinationTransaction;
  const data = farther.details.data ?? other.details.data;
  const ends = {
    ...(source && { sourceTransaction: source }),
    ...(destination && { destinationTransaction: destination }),
  };
  return {
    ...farther,
    details: {
      ...farther.details,
      ...(data && { data }),
      // The destination's chain does not know them: if the source is not indexed they are empty.
      receipts: [farther, other].find(({ details }) => details.receipts.length > 0)?.details.receipts ?? [],
      rewardDetails: mergeRewards(farther.details.rewardDetails, other.details.rewardDetails),
      messageExecuted: stored.details.messageExecuted || given.details.messageExecuted,
      receiptDelivered: stored.details.receiptDelivered || given.details.receiptDelivered,
      ...ends,
      status: statusOf(ends) ?? farther.details.status,
    },
  };
}

/**
 * A row without a reward does not remove that of another row. For one token all known values are merged, and a reward
 * only grows.
 */
function mergeRewards(farther: IcmDetails['rewardDetails'], other: IcmDetails['rewardDetails']) {
  if (farther.address !== other.address) return farther.value === '0' ? other : farther;
  const value = BigInt(farther.value) < BigInt(other.value) ? other.value : farther.value;
  return { ...other, ...farther, value };
}

const order: Readonly<Record<IcmStatus, number>> = {
  pending: 0,
  delivered_source_not_indexed: 1,
  delivered: 2,
};
const rank = ({ details }: ImportMessage) => order[details.status];

async function findMessages(
  client: Batch,
  network: Network,
  messageIds: readonly string[],
): Promise<Map<string, ImportMessage>> {
  const { rows } = await client.query<Record<'id' | 'sb' | 'se' | 'db' | 'de' | 'details', string>>(
    `SELECT encode(m.message_id, 'hex') AS id, s.blockchain_id AS sb, s.evm_chain_id::text AS se,
       d.blockchain_id AS db, d.evm_chain_id::text AS de, m.details::text AS details
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
        rowId: null,
      },
    ]),
  );
}

async function writeMessages(
  client: Batch,
  { network, keepsInstallation }: NetworkScope,
  messages: readonly ImportMessage[],
) {
  const chainIds = await writeChains(
    client,
    network,
    messages.flatMap(({ source, destination }) => [source, destination]),
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
      details: 'jsonb',
    },
    key: ['network', 'message_id'],
  };
  return upsertRows(
    client,
    withIds(table, keepsInstallation),
    messages.map(({ messageId, source, destination, details, rowId }) => [
      network,
      `\\x${messageId}`,
      chainIds.get(keyOf(source)) ?? null,
      chainIds.get(keyOf(destination)) ?? null,
      toBytea(details.from),
      toBytea(details.to),
      (details.sourceTransaction ?? details.destinationTransaction)?.timestamp.toString() ?? null,
      JSON.stringify(details),
      ...(keepsInstallation ? [rowId] : []),
    ]),
  );
}

const keyOf = ({ blockchainId, evmChainId }: MessageChain) => `${blockchainId} ${evmChainId}`;

/** Row ids of chains by keyOf; new ones are added. */
async function writeChains(
  client: Batch,
  network: Network,
  chains: readonly MessageChain[],
): Promise<Map<string, number>> {
  const columns = { network: 'network', blockchain_id: 'text', evm_chain_id: 'numeric(78, 0)' };
  await upsertRows(
    client,
    { name: 'icm_chain', columns, key: Object.keys(columns) },
    chains.map(({ blockchainId, evmChainId }) => [network, blockchainId, evmChainId]),
  );
  const { rows } = await client.query<{ id: number } & MessageChain>(
    `SELECT id, blockchain_id AS "blockchainId", evm_chain_id::text AS "evmChainId" FROM icm_chain WHERE network = $1`,
    [network],
  );
  return new Map(rows.map((row) => [keyOf(row), row.id]));
}
