import type { ArgumentValues } from '../../arguments/argument.js';
import { blockchainArgument, idArgument, networkArgument } from '../../arguments/common.js';

const network = networkArgument('Network of the X-chain.');

export const vertexArguments = { network, vertexHash: idArgument('Hash of the vertex, CB58.') };

export const vertexListArguments = {
  network,
  blockchainId: blockchainArgument(
    ['x'],
    'x-chain, or the id of that blockchain on the network: no other chain had vertices.',
    { example: 'x-chain', default: 'x-chain' },
  ),
};

export type VertexQuery = ArgumentValues<typeof vertexListArguments>;
