import { OutboundError, type OutboundReason } from '../../../outbound/error.js';

/** Why a token has no metadata; including the reasons of outbound requests. */
export type MetadataReason =
  | OutboundReason
  | 'no-rpc'
  | 'rpc-failed'
  | 'rpc-invalid'
  | 'no-metadata-address'
  | 'no-ipfs-gateway'
  | 'no-arweave-gateway'
  | 'document-missing'
  | 'content-type-refused'
  | 'document-invalid';

/** A token's metadata could not be read. The message is for people and is safe to publish. */
export class MetadataError extends Error {
  /** @param retryable true when another attempt may succeed without anybody changing anything */
  constructor(
    readonly reason: MetadataReason,
    message: string,
    readonly retryable: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'MetadataError';
  }
}

/** The error as a MetadataError, or null for an internal error. */
export function asMetadataError(error: unknown): MetadataError | null {
  if (error instanceof MetadataError) return error;
  if (!(error instanceof OutboundError)) return null;
  return new MetadataError(error.reason, error.message, error.retryable, { cause: error });
}
