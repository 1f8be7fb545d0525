import type { ExportKind } from '../../export/kind.js';
import { inSelection, rowIdField } from '../../export/sql.js';
import { storedFields } from '../../fields/field.js';
import { jsonText } from '../../storage/json-text.js';
import { icmMessageFields, icmMessageRows } from './fields.js';

export const icmMessageExport: ExportKind = {
  name: 'icm-messages',
  files: (selection) =>
    selection.networks.map((network) => ({
      name: `${network}.icm.messages`,
      select: `
        SELECT ${jsonText([...storedFields(icmMessageFields), ...rowIdField('m.id', selection)], 'm.details::text')}
        FROM ${icmMessageRows.from}
        WHERE m.network = '${network}' AND ${inSelection('m.timestamp', selection)} ORDER BY m.message_id`,
    })),
};
