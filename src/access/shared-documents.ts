/** GraphQL documents by the SHA-256 of their text, shared by all gateways. */
export interface SharedDocuments {
  /** Undefined if it is not there, or Redis cannot be used now. */
  find(sha256: string): Promise<string | undefined>;
  /** Keeps a text; the least recently used are dropped, so that all together have at most `limit` bytes. */
  keep(sha256: string, text: string, limit: number): Promise<void>;
}
