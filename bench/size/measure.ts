import type { Connection } from '../../src/storage/session.js';

/** An index; of a partitioned table the sum over its partitions, and the depth of the largest. */
export interface IndexSize {
  name: string;
  bytes: number;
  /** Blocks from the root to a leaf, and how many blocks one above points to; null if it is no B-tree. */
  tree: { depth: number; fanout: number } | null;
}

/** Bytes of a table's parts. */
export interface TableSize {
  name: string;
  rows: number;
  heap: number;
  toast: number;
  indexes: readonly IndexSize[];
}

export const BLOCK = 8192;
/** Of a block, without its header and what a B-tree keeps at its end. */
const USABLE = BLOCK - 24 - 16;
/** Part of an inner block that is filled: PostgreSQL splits full ones so. */
const FILLED = 0.7;
/** Of the line pointer that each item has. */
const POINTER = 4;
/** Of the first item of an inner block, which has no key. */
const KEYLESS = 8;

// Partitions count as their table. What has none is in no tree.
const leaves = (oid: string) =>
  `CROSS JOIN LATERAL (
     SELECT relid FROM pg_partition_tree(${oid}) WHERE isleaf
     UNION SELECT oid FROM pg_class WHERE oid = ${oid} AND relkind IN ('r', 'i')) leaf`;
const tableText = `
  SELECT c.relname AS name, sum(pg_relation_size(leaf.relid))::float8 AS heap,
    sum(coalesce(pg_total_relation_size(nullif(own.reltoastrelid, 0)), 0))::float8 AS toast
  FROM pg_class c ${leaves('c.oid')} JOIN pg_class own ON own.oid = leaf.relid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.relname NOT LIKE '\\_%'
  GROUP BY c.relname ORDER BY c.relname`;
const indexText = `
  SELECT i.relname AS name, am.amname AS method, sum(pg_relation_size(leaf.relid))::float8 AS bytes,
    (array_agg(leaf.relid::regclass::text ORDER BY pg_relation_size(leaf.relid) DESC))[1] AS largest
  FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_am am ON am.oid = i.relam ${leaves('i.oid')}
  WHERE x.indrelid = $1::regclass GROUP BY 1, 2 ORDER BY 1`;
const treeText = `
  SELECT meta.level::int AS level, page.live_items AS items, page.avg_item_size AS size
  FROM bt_metap($1) meta CROSS JOIN LATERAL bt_page_stats($1, meta.root::int) page WHERE meta.root > 0`;

/**
 * What the tables of Moraine take, as the server counts it. Needs the extension pageinspect, which comes with
 * PostgreSQL, and the right to use it.
 */
export async function measure(client: Connection): Promise<TableSize[]> {
  await client.query('CREATE EXTENSION IF NOT EXISTS pageinspect');
  await client.query('VACUUM (ANALYZE)');
  const { rows: tables } = await client.query<Omit<TableSize, 'rows' | 'indexes'>>(tableText);
  const sizes: TableSize[] = [];
  for (const table of tables) {
    const { rows } = await client.query<{ count: number }>(`SELECT count(*)::float8 FROM ${table.name}`);
    sizes.push({ ...table, rows: rows[0]?.count ?? 0, indexes: await measureIndexes(client, table.name) });
  }
  return sizes;
}

async function measureIndexes(client: Connection, table: string): Promise<IndexSize[]> {
  type Found = { name: string; method: string; bytes: number; largest: string };
  const { rows } = await client.query<Found>(indexText, [table]);
  const sizes: IndexSize[] = [];
  for (const { name, method, bytes, largest } of rows)
    sizes.push({ name, bytes, tree: method === 'btree' ? await measureTree(client, largest) : null });
  return sizes;
}

/** From only the root: its items are like those of all inner blocks, and if it is a leaf, no shorter. */
async function measureTree(client: Connection, index: string): Promise<IndexSize['tree']> {
  const { rows } = await client.query<{ level: number; items: number; size: number }>(treeText, [index]);
  const [root] = rows;
  if (!root || root.items < 2) return null;
  const { level, items, size } = root;
  const item = level === 0 ? size : (size * items - KEYLESS) / (items - 1);
  return { depth: level + 1, fanout: Math.floor((USABLE * FILLED) / (item + POINTER)) };
}
