import type { OutboundObserver } from './observer.js';

/** A request to a foreign server. */
export interface OutboundRequest {
  url: string;
  /**
   * The operator set this address: it is used as it is, wherever that is. This applies to its origin only; a
   * redirect to another one is guarded.
   */
  trusted?: boolean;
  /** What messages call the other side, for example "the IPFS gateway". */
  name: string;
  method?: 'GET' | 'POST';
  headers?: Readonly<Record<string, string>>;
  body?: string;
  maxBytes: number;
  /** Bodies whose content type matches are not read, and are empty in the reply. */
  unread?: RegExp;
  signal?: AbortSignal;
  /** The observer of the work that sends the request. */
  observer?: OutboundObserver | undefined;
}

export interface OutboundReply {
  status: number;
  /** Lower case, without parameters; empty when the header is missing. */
  contentType: string;
  body: Buffer;
}

/** Makes guarded requests. Connections, cookies and credentials are never kept between two of them. */
export type Outbound = (request: OutboundRequest) => Promise<OutboundReply>;
