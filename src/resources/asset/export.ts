import type { ExportKind } from '../../export/kind.js';
import { storedFields } from '../../fields/field.js';
import { jsonText } from '../../storage/json-text.js';
import { assetFields } from './fields.js';

/** Assets, including those without outputs. */
export const assetExport: ExportKind = {
  name: 'assets',
  first: true,
  files: ({ networks, collate }) =>
    networks.map((network) => ({
      name: `${network}.assets`,
      select: `
        SELECT ${jsonText(storedFields(assetFields))} FROM asset a WHERE a.network = '${network}'
        ORDER BY a.asset_id${collate}`,
    })),
};
