/** An import cannot start, or a file cannot be read further. The message is for the operator. */
export class IngestError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'IngestError';
  }
}
