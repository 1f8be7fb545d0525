import type pg from 'pg';

const ours = `c.relnamespace = 'public'::regnamespace AND c.relname NOT LIKE '\\_prisma%'`;

/**
 * Everything that migrations declare, each as a line: tables with their options, columns in order, keys,
 * indexes, types.
 */
export async function catalogOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(`
    SELECT line FROM (
    SELECT concat_ws(' ', 'table', c.relname, c.reloptions::text, pg_get_partkeydef(c.oid)) AS line
      FROM pg_class c WHERE ${ours} AND c.relkind IN ('r', 'p')
    UNION ALL
    SELECT concat_ws(' ', 'column', c.relname,
        row_number() OVER (PARTITION BY c.oid ORDER BY a.attnum), a.attname, format_type(a.atttypid, a.atttypmod),
        CASE WHEN a.attcollation <> t.typcollation THEN 'collate ' || a.attcollation::regcollation END,
        CASE WHEN a.attnotnull THEN 'not null' END, nullif(a.attidentity, ''),
        'default ' || pg_get_expr(d.adbin, d.adrelid), a.attoptions::text)
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      JOIN pg_type t ON t.oid = a.atttypid LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
      WHERE ${ours} AND c.relkind IN ('r', 'p')
    UNION ALL
    SELECT concat_ws(' ', 'constraint', c.relname, k.conname, pg_get_constraintdef(k.oid))
      FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid WHERE ${ours} AND k.contype <> 'n'
    UNION ALL
    SELECT pg_get_indexdef(i.indexrelid) FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid WHERE ${ours}
    UNION ALL
    SELECT concat_ws(' ', 'sequence', c.relname, format_type(s.seqtypid, NULL), d.refobjid::regclass, d.refobjsubid)
      FROM pg_class c JOIN pg_sequence s ON s.seqrelid = c.oid LEFT JOIN pg_depend d ON d.objid = c.oid AND d.deptype IN ('a', 'i')
      WHERE ${ours}
    UNION ALL
    SELECT concat_ws(' ', 'type', t.typname, (SELECT string_agg(e.enumlabel, ', ' ORDER BY e.enumsortorder)
        FROM pg_enum e WHERE e.enumtypid = t.oid))
      FROM pg_type t WHERE t.typnamespace = 'public'::regnamespace AND t.typtype = 'e'
    UNION ALL
    SELECT 'other ' || p.oid::regprocedure FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace
    UNION ALL
    SELECT 'other ' || g.tgname FROM pg_trigger g WHERE NOT g.tgisinternal
    ) described ORDER BY line COLLATE "C"`);
  return rows.map(({ line }) => line);
}
