import type { ExportKind, Selection } from '../../export/kind.js';
import { chainIds, evmChainsOf, rowIdField } from '../../export/sql.js';
import { storedFields } from '../../fields/field.js';
import { jsonText, type JsonField } from '../../storage/json-text.js';
import { milliseconds, onChainFields } from './fields.js';

// Jobs are not exported: a token that a job was about to read keeps its state from before.
const underWay = `t.metadata_status IN ('queued', 'running')`;
const status = `CASE WHEN NOT ${underWay} THEN t.metadata_status WHEN t.fetched_at IS NULL THEN 'none' ELSE 'done' END`;

const metadataText = jsonText([
  { name: 'status', form: 'plain', sql: status },
  {
    name: 'failureReason',
    form: 'text',
    sql: `CASE WHEN NOT ${underWay} THEN t.failure_reason END`,
    optional: true,
  },
  { name: 'standard', form: 'text', sql: 't.standard', optional: true },
  { name: 'address', form: 'text', sql: 't.metadata_address', optional: true },
  { name: 'name', form: 'text', sql: 't.name', optional: true },
  { name: 'description', form: 'text', sql: 't.description', optional: true },
  { name: 'image', form: 'text', sql: 't.image', optional: true },
  { name: 'attributes', form: 'json', sql: 't.attributes::text', optional: true },
  { name: 'raw', form: 'text', sql: 't.raw_metadata', optional: true },
  { name: 'fetchedAt', form: 'number', sql: milliseconds('fetched_at'), optional: true },
]);

function tokenText(selection: Selection): string {
  const requestedAt: JsonField = {
    name: 'reindexRequestedAt',
    form: 'number',
    // A token whose job is not exported may be requested again at once.
    sql: `CASE WHEN NOT ${underWay} THEN ${milliseconds('reindex_requested_at')} END`,
    optional: true,
  };
  return jsonText([
    ...storedFields(onChainFields),
    {
      name: 'metadata',
      form: 'json',
      sql: `CASE WHEN ${status} <> 'none' OR t.fetched_at IS NOT NULL THEN ${metadataText} END`,
      optional: true,
    },
    ...(selection.installation ? [requestedAt] : []),
    ...rowIdField('t.id', selection),
  ]);
}

/** NFTs, with what was read of their metadata. */
export const nftTokenExport: ExportKind = {
  name: 'nft-tokens',
  async files(selection, client) {
    const ids = await evmChainsOf(client, 'nft_token', selection);
    return [
      {
        name: 'evm.nft-tokens',
        select: `
          SELECT ${tokenText(selection)} FROM nft_token t WHERE t.evm_chain_id = ANY (${chainIds(ids)})
          ORDER BY t.evm_chain_id, t.address, t.token_id`,
      },
    ];
  },
};
