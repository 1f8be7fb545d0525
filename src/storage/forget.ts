import type pg from 'pg';

/**
 * Makes a connection close statements that it prepared, in order with the other statements on it. With the protocol's
 * own message for each, which poolers track: they may not understand a text such as DEALLOCATE ALL.
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
    // A connection on which this fails is lost, and its user gets the error.
    handleError: () => undefined,
    handleReadyForQuery: () => undefined,
  };
  return forgetting;
}

/** The methods that pg calls on what is submitted to it, and does not declare. */
interface Forgetting extends pg.Submittable {
  handleError: (error: Error) => void;
  handleReadyForQuery: () => void;
}

/** What pg stores of a connection, and does not declare. */
interface Kept {
  stream: { cork: () => void; uncork: () => void };
  parsedStatements: Record<string, string>;
}
