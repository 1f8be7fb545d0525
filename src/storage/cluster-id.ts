const mayAsk = `SELECT coalesce(has_function_privilege(to_regprocedure('pg_control_system()'), 'EXECUTE'), false) AS may`;
const text = 'SELECT system_identifier::text AS cluster FROM pg_control_system()';

/**
 * Which cluster a server is of, as its initdb made it up: the same for all that follow one log. Null where the role may not
 * know. @param ask brings a statement's rows
 */
export async function clusterOf(
  ask: <Row extends object>(text: string) => Promise<Row[]>,
): Promise<string | null> {
  const [right] = await ask<{ may: boolean }>(mayAsk);
  if (!right?.may) return null;
  return (await ask<{ cluster: string }>(text))[0]?.cluster ?? null;
}
