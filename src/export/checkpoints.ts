import { CHECKPOINT_FILE, CHECKPOINT_FORMAT, checkpointTables } from '../ingest/checkpoint-tables.js';
import type { CheckpointTable } from '../ingest/checkpoint-tables.js';
import { publicIdentities } from '../avalanche/identity.js';
import { networks } from '../avalanche/networks.js';
import { version } from '../package.js';
import { networkTable, pipelineTable, rangeTable } from '../state/following.js';
import type { Connection } from '../storage/session.js';
import { ExportError } from './errors.js';
import type { ExportFile, Selection } from './kind.js';

/** No follower runs where the rows are imported, until the operator starts one. */
const instead: Partial<Record<CheckpointTable, string>> = {
  [pipelineTable.name]: ` || '{"state": "idle", "note": null}'`,
  [rangeTable.name]: ` || '{"note": null}'`,
};

/**
 * What an export says of the networks that are followed: which they are and, if it leaves nothing out, the
 * follower's own tables, so that a follower resumes from the rows. Null if there is nothing to write: the
 * public networks are known.
 *
 * @param client inside of the export's snapshot
 * @throws ExportError while the rows of such an export are imported
 */
export async function checkpointFile(client: Connection, selection: Selection): Promise<ExportFile | null> {
  const { rows } = await client.query<{ text: string; importing: string | null }>(
    `SELECT (to_jsonb(n) - 'importing')::text AS text, importing FROM ${networkTable.name} n WHERE ${wanted(selection)} ORDER BY network`,
  );
  if (rows.length === 0) return null;
  if (rows.some(({ importing }) => importing !== null))
    throw new ExportError(
      'an import of an export has not ended in this database: run it again first. Nothing was written',
    );
  const identities = `[${rows.map(({ text }) => text).join(',')}]`;
  return {
    name: CHECKPOINT_FILE,
    select: (written) => {
      const lines = [
        `SELECT 0 AS rank, ${literal(header(identities, selection, written))} AS text`,
        ...(selection.whole ? checkpointTables.map(rowsOf) : []),
      ];
      return `SELECT text FROM (${lines.join(' UNION ALL ')}) line ORDER BY rank, text COLLATE "C"`;
    },
  };
}

function wanted({ whole, networks: chosen }: Selection): string {
  if (whole) return 'true';
  const known = networks.map((network) => publicIdentities[network].networkId);
  return `network = ANY ('{${chosen.join(',')}}'::network[]) AND network_id <> ALL ('{${known.join(',')}}'::bigint[])`;
}

/** The first line. Without `files`, only a part is exported, and no follower can resume from it. */
function header(identities: string, { whole }: Selection, written: ReadonlyMap<string, number>): string {
  const files = whole ? `,"files":${JSON.stringify(Object.fromEntries(written))}` : '';
  return `{"format":${CHECKPOINT_FORMAT},"version":${JSON.stringify(version)},"networks":${identities}${files}}`;
}

/** Without row ids: each database has its own. */
const rowsOf = (table: CheckpointTable, index: number): string =>
  `SELECT ${index + 1}, '{"table":"${table}","row":' || (to_jsonb(t) - 'id'${instead[table] ?? ''})::text || '}' FROM ${table} t`;

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
