import type { Hex } from 'viem';
import { readEvmAddress, readEvmChain, readEvmHash, type EvmChainName } from '../avalanche/evm.js';
import { DIGITS, GIVEN_EVM_ADDRESS, GIVEN_EVM_HASH, ID, only } from '../avalanche/patterns.js';
import type { Argument } from './argument.js';

type More<T> = Pick<Argument<T>, 'note' | 'example'>;

type Read<T> = (name: string, value: string) => T;

const textArgument =
  <T>(pattern: string, read: Read<T>) =>
  (description: string, more: More<T> = {}): Argument<T> => ({
    type: 'String',
    description,
    schema: { type: 'string', pattern },
    ...more,
    read: (name, value) => read(name, String(value)),
  });

/** A chain by its EVM chain id or its blockchain id. */
export const evmChainArgument = textArgument<EvmChainName>(only(DIGITS, ID), readEvmChain);

/** An EVM address in any case. */
export const evmAddressArgument = textArgument<Hex>(only(GIVEN_EVM_ADDRESS), readEvmAddress);

/** 32 bytes in hex in any case, such as the hash of a transaction. */
export const evmHashArgument = textArgument<string>(only(GIVEN_EVM_HASH), readEvmHash);
