import { narrowing, optional } from '../../arguments/argument.js';
import type { Argument, ArgumentValues, Narrowing } from '../../arguments/argument.js';
import { choiceArgument, idArgument, momentArgument, networkArgument } from '../../arguments/common.js';
import { evmAddressArgument, evmChainArgument, evmHashArgument } from '../../arguments/evm.js';
import { GIVEN_MESSAGE_ID, only } from '../../avalanche/patterns.js';
import { badInput, quote } from '../../errors.js';
import { pointBounds } from '../subnet-metric/arguments.js';
import { icmStatuses, type IcmStatus } from './details.js';

const messageId: Argument<string> = {
  type: 'String',
  description: '64 hexadecimal digits in any case, with 0x or without.',
  schema: { type: 'string', pattern: only(GIVEN_MESSAGE_ID) },
  example: '093180beefefbbd862fd31d2adf9e99f7ca64d67bdf1f3633ae9ad4cec76a29d',
  read: (name, value) => {
    const digits = /^(?:0x)?([0-9a-f]{64})$/i.exec(String(value))?.[1];
    if (digits) return digits.toLowerCase();
    throw badInput(
      `${name}: ${quote(String(value))} is not a message id; it must be 64 hexadecimal digits, with 0x or without`,
    );
  },
};

export const icmMessageArguments = { messageId };

// The time that lists are sorted by.
const times = {
  since: momentArgument(
    'Only messages sent at this time or later, Unix seconds; where the source is not indexed, the time of delivery.',
  ),
  until: momentArgument('Only messages sent before this time, Unix seconds.'),
};

const address = evmAddressArgument(
  'Only messages from or to this address on any chain, hex with 0x in any case. Combines with network, since and until alone.',
);

/** The messages of an address on all chains. */
export const icmAddressArguments = {
  address: evmAddressArgument('An address, hex with 0x in any case.', {
    example: '0x66Aa7b6BFc7971F7a25aEB306dA937BbB31e641C',
  }),
};

/** The published arguments of a list of messages; filters combine with AND. */
export const icmFilterArguments = narrowing({
  network: optional(networkArgument('Only of this network. If omitted, all.')),
  sourceBlockchainId: optional(
    evmChainArgument('Only from this chain: blockchain id (CB58) or EVM chain id (decimal).'),
  ),
  destinationBlockchainId: optional(
    evmChainArgument('Only to this chain: blockchain id (CB58) or EVM chain id (decimal).'),
  ),
  blockchainId: optional(idArgument('Only from or to this chain: blockchain id (CB58).')),
  from: optional(evmAddressArgument('Only from this address, hex with 0x in any case.')),
  to: optional(evmAddressArgument('Only to this address, hex with 0x in any case.')),
  ...times,
  txHash: optional(
    evmHashArgument(
      'Only messages that this EVM transaction sent or delivered: its hash, hex with 0x in any case.',
    ),
  ),
  status: optional(
    choiceArgument(
      'IcmStatus',
      Object.keys(icmStatuses) as IcmStatus[],
      'Only messages with this status. If omitted, all.',
    ),
  ),
});

/** The arguments of a list of messages. */
export const icmMessageListArguments = {
  ...icmFilterArguments,
  ...narrowing({
    address: optional({
      ...address,
      read: (name, value, { network: _network, since: _since, until: _until, ...others }) => {
        const [other] = Object.keys(others).filter((each) => (others[each] ?? null) !== null);
        if (other) throw badInput(`${name}: cannot be given together with ${other}`);
        return address.read(name, value, others);
      },
    }),
  }),
};

export type IcmMessageNarrowing = Narrowing<typeof icmMessageListArguments>;

export type IcmMessageQuery = ArgumentValues<typeof icmMessageListArguments>;

/** Which messages of an address. */
export const icmDirections = {
  sent: 'Messages that the address sent.',
  received: 'Messages that were sent to the address.',
};
export type IcmDirection = keyof typeof icmDirections;

/** The arguments of an EVM address's messages, without the address. */
export const partyMessageArguments = narrowing({
  direction: optional(
    choiceArgument(
      'IcmDirection',
      Object.keys(icmDirections) as IcmDirection[],
      'Only messages that the address sent, or only messages that it received. If omitted, both.',
    ),
  ),
  ...times,
});

export type PartyMessageNarrowing = Narrowing<typeof partyMessageArguments>;

/** The messages of an address on a chain. */
export interface PartyMessageQuery extends ArgumentValues<typeof partyMessageArguments> {
  evmChainId: string;
  /** Hex with 0x. */
  address: string;
}

/** The bounds of the days of a chain. */
export const messageDayArguments = pointBounds;
export type MessageDayNarrowing = Narrowing<typeof messageDayArguments>;

/** The days of a chain's messages; the bounds are days, both exclusive. */
export interface MessageDayQuery extends ArgumentValues<typeof messageDayArguments> {
  /** Decimal digits. */
  evmChainId: string;
}
