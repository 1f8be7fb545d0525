/** A row is refused. The message says which field is wrong, and why; the rows after it are still read. */
export class RowError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RowError';
  }
}

/**
 * A valid row of a sort that is never stored: it is counted, and is no mistake of its source. The message is
 * the name of the sort, one of a few: `calls without value`.
 */
export class RowLeftOut extends RowError {}
