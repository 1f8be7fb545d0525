import { optional, type Argument, type ArgumentValues } from '../../arguments/argument.js';
import { idArgument, networkArgument } from '../../arguments/common.js';
import { evmAddressArgument, evmChainArgument } from '../../arguments/evm.js';
import { badInput, quote } from '../../errors.js';

const messageId: Argument<string> = {
  type: 'String',
  description: '64 hexadecimal digits in any case, with 0x or without.',
  schema: { type: 'string' },
  example: '093180beefefbbd862fd31d2adf9e99f7ca64d67bdf1f3633ae9ad4cec76a29d',
  read: (name, value) => {
    const digits = /^(?:0x)?([0-9a-f]{64})$/i.exec(String(value))?.[1];
    if (digits) return digits.toLowerCase();
    throw badInput(
      `${name}: ${quote(String(value))} is not a message id; it is 64 hexadecimal digits, with 0x or without`,
    );
  },
};

/** What a message is asked for by. */
export const icmMessageArguments = { messageId };

/** What a list of messages is asked for by; filters combine with AND. */
export const icmMessageListArguments = {
  network: optional(networkArgument('Only of this network. Not given: all.')),
  sourceBlockchainId: optional(
    evmChainArgument('Only from this chain: blockchain id (CB58) or EVM chain id (decimal).'),
  ),
  destinationBlockchainId: optional(
    evmChainArgument('Only to this chain: blockchain id (CB58) or EVM chain id (decimal).'),
  ),
  blockchainId: optional(idArgument('Only from or to this chain: blockchain id (CB58).')),
  from: optional(evmAddressArgument('Only from this address, hex with 0x in any case.')),
  to: optional(evmAddressArgument('Only to this address, hex with 0x in any case.')),
};

export type IcmMessageQuery = ArgumentValues<typeof icmMessageListArguments>;
