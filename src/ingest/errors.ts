/** An import cannot start, or a file cannot be read further. The message is for the operator. */
export class IngestError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'IngestError';
  }
}

/** A row cannot be taken in. The message says which field is wrong, and why; the rest of the file goes on. */
export class RowError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RowError';
  }
}

/**
 * A row that is in order, but of a sort that is never stored: it is counted, and no mistake of the file. The message is the
 * name of the sort, of which there are few: `calls without value`.
 */
export class RowLeftOut extends RowError {}
