import type { ExportKind } from '../../export/kind.js';
import { inRange, rowIdField } from '../../export/sql.js';
import { fromMessages, messageText } from './columns.js';

/** Interchain messages. */
export const icmMessageExport: ExportKind = {
  name: 'icm-messages',
  files: (selection) =>
    selection.networks.map((network) => ({
      name: `${network}.icm.messages`,
      select: `
        SELECT ${messageText(rowIdField('m.id', selection))} ${fromMessages}
        WHERE m.network = '${network}' AND ${inRange('m.timestamp', selection)} ORDER BY m.message_id`,
    })),
};
