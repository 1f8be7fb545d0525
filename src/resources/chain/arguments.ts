import { narrowing, optional, type ArgumentValues, type Narrowing } from '../../arguments/argument.js';
import { choiceArgument, networkArgument } from '../../arguments/common.js';
import { evmChainArgument } from '../../arguments/evm.js';
import { chainFeatures } from './columns.js';

export const chainArguments = {
  chainId: evmChainArgument('EVM chain id (decimal) or blockchain id (CB58).', {
    note: 'One of the chains that /v1/chains lists.',
    example: '43113',
  }),
};

export const chainListArguments = narrowing({
  network: optional(networkArgument('Only chains of this network. If omitted, all.')),
  feature: optional(
    choiceArgument('ChainFeature', chainFeatures, 'Only chains with this feature. If omitted, all.'),
  ),
});

export type ChainNarrowing = Narrowing<typeof chainListArguments>;
export type ChainQuery = ArgumentValues<typeof chainListArguments>;
