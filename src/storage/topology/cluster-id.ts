const mayReadControl = `SELECT coalesce(has_function_privilege(to_regprocedure('pg_control_system()'), 'EXECUTE'), false) AS may`;
const text = 'SELECT system_identifier::text AS cluster FROM pg_control_system()';

/**
 * The cluster of a server, as initdb numbered it: the same for all servers that follow one log. Null if the
 * role may not read it.
 *
 * @param ask returns a statement's rows
 */
export async function clusterOf(
  ask: <Row extends object>(text: string) => Promise<Row[]>,
): Promise<string | null> {
  const [right] = await ask<{ may: boolean }>(mayReadControl);
  if (!right?.may) return null;
  return (await ask<{ cluster: string }>(text))[0]?.cluster ?? null;
}
