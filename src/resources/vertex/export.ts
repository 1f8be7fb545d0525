import type { ExportKind } from '../../export/kind.js';
import { inSelection, rowIdField } from '../../export/sql.js';
import { storedFields } from '../../fields/field.js';
import { jsonText } from '../../storage/json-text.js';
import { vertexFields } from './fields.js';

export const vertexExport: ExportKind = {
  name: 'vertices',
  files: (selection) =>
    (selection.chains.includes('x') ? selection.networks : []).map((network) => ({
      name: `${network}.x-chain.vertices`,
      select: `
        SELECT ${jsonText([...storedFields(vertexFields), ...rowIdField('v.id', selection)])} FROM vertex v
        WHERE v.network = '${network}' AND ${inSelection('v.timestamp', selection)} ORDER BY v.vertex_hash`,
    })),
};
