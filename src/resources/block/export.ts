import type { ExportKind } from '../../export/kind.js';
import { inSelection } from '../../export/sql.js';
import { storedFields } from '../../fields/field.js';
import { jsonText } from '../../storage/json-text.js';
import { blockFields } from './fields.js';

/** Blocks of the primary network, also those without stored transactions. */
export const blockExport: ExportKind = {
  name: 'blocks',
  files: (selection) =>
    selection.networks.flatMap((network) =>
      selection.chains.map((chain) => ({
        name: `${network}.${chain}-chain.blocks`,
        select: `
          SELECT ${jsonText(storedFields(blockFields))} FROM block b
          WHERE b.network = '${network}' AND b.chain = '${chain}' AND ${inSelection('b.timestamp', selection)}
          ORDER BY b.number`,
      })),
    ),
};
