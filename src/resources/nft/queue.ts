import type { Job, QueueNames } from '../../jobs/queue.js';

/** The queue of jobs that read the metadata of tokens. */
export const metadataQueue: QueueNames = {
  name: 'nft-metadata',
  lost: 'nft-metadata-lost',
  jobs: 'metadata jobs',
};

/** The token of a metadata job. Numbers as decimal text, because JSON has no large ones. */
export interface MetadataJob extends Job {
  evmChainId: string;
  /** 0x and 40 hex digits. */
  address: string;
  tokenId: string;
}
