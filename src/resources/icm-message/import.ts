import type { FileKind } from '../../ingest/kind.js';
import { readNetworkPart } from '../../ingest/scope.js';
import { firstOfNetwork } from '../../write/feed.js';
import type { RowKind } from '../../write/kind.js';
import type { NetworkScope } from '../../write/scope.js';
import { takeWaiting, withFacts } from './import-facts.js';
import { mergeMessages } from './import-merge.js';
import { readMessage, type ImportMessage } from './import-row.js';
import { findMessages, writeMessages } from './import-store.js';

export const icmMessageRows: RowKind<ImportMessage, NetworkScope> = {
  tables: ['icm_message', 'icm_chain', 'icm_waiting', 'message_day'],
  lock: ({ network }) => network,
  read: readMessage,
  async write(client, scope, rows) {
    const { network } = scope;
    const ids = rows.map(({ messageId }) => messageId);
    const stored = await findMessages(client, network, ids);
    const messages = new Map(stored);
    for (const row of rows) {
      const known = messages.get(row.messageId);
      messages.set(row.messageId, known ? mergeMessages(known, row) : row);
    }
    for (const facts of await takeWaiting(client, network, ids)) {
      const message = messages.get(facts.messageId);
      if (message) messages.set(facts.messageId, withFacts(message, facts));
    }
    const { inserted, updated } = await writeMessages(client, scope, stored, [...messages.values()]);
    const added = [...messages.keys()].filter((messageId) => !stored.has(messageId));
    const first = [firstOfNetwork('icm_message', network, added)];
    return { written: inserted + updated, unchanged: rows.length - inserted - updated, first };
  },
};

export const icmMessageImport: FileKind<ImportMessage, NetworkScope> = {
  name: 'icm-messages',
  file: /^(?<network>[a-z]+)\.icm\.messages(?:\.|$)/,
  example: 'mainnet.icm.messages.ndjson',
  page: 'messages',
  scope: (fields) => ({ network: readNetworkPart(fields) }),
  rows: icmMessageRows,
};
