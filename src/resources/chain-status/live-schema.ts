import type { Builder } from '../../graphql/builder.js';
import { addLiveField } from '../../graphql/live-field.js';
import { chainStatusArguments } from './arguments.js';
import { liveChainStatus } from './live.js';

/** Registers the stream of the status of chains. */
export const registerLiveChainStatus = (builder: Builder): void =>
  addLiveField(builder, 'chainStatus', {
    type: 'PrimaryChainStatus',
    description:
      'A chain of the primary network whenever more of it is stored: blocks of a followed chain, with transactions or without, and imported transactions.',
    event: 'More of a chain was stored.',
    arguments: chainStatusArguments,
    list: liveChainStatus,
  });
