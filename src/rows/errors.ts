/** A row cannot be taken in. The message says which field is wrong, and why; the rows after it go on. */
export class RowError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RowError';
  }
}

/**
 * A row that is in order, but of a sort that is never stored: it is counted, and no mistake of its source. The message is the
 * name of the sort, of which there are few: `calls without value`.
 */
export class RowLeftOut extends RowError {}
