import { optional } from '../../arguments/argument.js';
import { evmChainArgument } from '../../arguments/evm.js';

/** The arguments of the matching addresses as nodes. */
export const evmAddressesArguments = {
  chainId: optional(
    evmChainArgument(
      'The chain of these objects: EVM chain id (decimal) or blockchain id (CB58). If omitted, that of the first sub-query.',
    ),
  ),
};
