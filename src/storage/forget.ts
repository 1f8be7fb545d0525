import type pg from 'pg';

/**
 * Has a connection forget statements that it prepared, in turn with what is asked on it. By the protocol's own message
 * for each, which poolers keep count of: of a text such as DEALLOCATE ALL they may not know what it does.
 */
export function forgetStatements(names: Iterable<string>): pg.Submittable {
  const forgetting: Forgetting = {
    submit(connection) {
      const { stream, parsedStatements } = connection as unknown as Kept;
      stream.cork();
      for (const name of names) {
        delete parsedStatements[name];
        connection.close({ type: 'S', name }, true);
      }
      connection.sync();
      stream.uncork();
    },
    // A connection that fails at this is lost, and whoever has it is told.
    handleError: () => undefined,
    handleReadyForQuery: () => undefined,
  };
  return forgetting;
}

/** What pg calls of what is submitted to it, and does not declare. */
interface Forgetting extends pg.Submittable {
  handleError: (error: Error) => void;
  handleReadyForQuery: () => void;
}

/** What pg keeps of a connection, and does not declare. */
interface Kept {
  stream: { cork: () => void; uncork: () => void };
  parsedStatements: Record<string, string>;
}
