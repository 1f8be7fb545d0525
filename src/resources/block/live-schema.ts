import type { Builder } from '../../graphql/builder.js';
import { addLiveField } from '../../graphql/live-field.js';
import { liveArguments, liveBlocks } from './live.js';

/** Registers the stream of blocks. */
export const registerLiveBlocks = (builder: Builder): void =>
  addLiveField(builder, 'blocks', {
    type: 'Block',
    description: 'Blocks of a chain when they are first stored. The filters are those of Query.blocks.',
    event: 'A block was stored.',
    arguments: liveArguments,
    list: liveBlocks,
  });
