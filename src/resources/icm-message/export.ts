import { blockOfLogSql, indexOfLogSql } from '../../avalanche/sort-key.js';
import type { ExportKind } from '../../export/kind.js';
import { inSelection, rowIdField } from '../../export/sql.js';
import { storedFields } from '../../fields/field.js';
import { jsonText, type JsonField } from '../../storage/json-text.js';
import { icmMessageFields, icmMessageRows } from './fields.js';

const sourceLog: readonly JsonField[] = [
  { name: 'sourceBlockNumber', form: 'plain', sql: blockOfLogSql('m.tie'), optional: true },
  { name: 'sourceLogIndex', form: 'number', sql: indexOfLogSql('m.tie'), optional: true },
];

export const icmMessageExport: ExportKind = {
  name: 'icm-messages',
  files: (selection) =>
    selection.networks.map((network) => ({
      name: `${network}.icm.messages`,
      select: `
        SELECT ${jsonText([...storedFields(icmMessageFields), ...sourceLog, ...rowIdField('m.id', selection)], 'm.details::text')}
        FROM ${icmMessageRows.from}
        WHERE m.network = '${network}' AND ${inSelection('m.timestamp', selection)} ORDER BY m.message_id`,
    })),
};
