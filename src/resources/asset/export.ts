import type { ExportKind } from '../../export/kind.js';
import { jsonText } from '../../storage/json-text.js';

const assetText = jsonText([
  { name: 'assetId', form: 'plain', sql: 'a.asset_id' },
  { name: 'name', form: 'text', sql: 'a.name' },
  { name: 'symbol', form: 'text', sql: 'a.symbol' },
  { name: 'denomination', form: 'number', sql: 'a.denomination' },
  { name: 'type', form: 'plain', sql: 'a.type' },
]);

/** Assets, also those that no output has. */
export const assetExport: ExportKind = {
  name: 'assets',
  files: ({ networks, collate }) =>
    networks.map((network) => ({
      name: `${network}.assets`,
      select: `SELECT ${assetText} FROM asset a WHERE a.network = '${network}' ORDER BY a.asset_id${collate}`,
    })),
};
