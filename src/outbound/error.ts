/** Why an outbound request was not sent, or failed. */
export type OutboundReason =
  | 'address-malformed'
  | 'scheme-refused'
  | 'credentials-refused'
  | 'port-refused'
  | 'address-refused'
  | 'name-not-resolved'
  | 'redirect-refused'
  | 'too-many-redirects'
  | 'too-large'
  | 'encoding-refused'
  | 'timeout'
  | 'unreachable';

/**
 * An outbound request failed. The message is for people and is safe to publish: it names neither a resolved
 * address nor an address that the operator configured.
 */
export class OutboundError extends Error {
  /** @param retryable true when the same request may succeed later */
  constructor(
    readonly reason: OutboundReason,
    message: string,
    readonly retryable: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'OutboundError';
  }
}
