import type { Builder } from '../../graphql/builder.js';
import { addLiveField } from '../../graphql/live-field.js';
import { liveArguments, liveMessages } from './live.js';

/** Registers the stream of messages. */
export const registerLiveMessages = (builder: Builder): void =>
  addLiveField(builder, 'icmMessages', {
    type: 'IcmMessage',
    description:
      'Interchain messages when they are first stored, sent or delivered. A later change, such as its delivery, is no event. The filters are those of Query.icmMessages.',
    event: 'A message was stored.',
    arguments: liveArguments,
    list: liveMessages,
  });
