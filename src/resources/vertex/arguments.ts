import { narrowing, optional } from '../../arguments/argument.js';
import type { ArgumentValues, Narrowing } from '../../arguments/argument.js';
import { blockchainArgument, choiceArgument, idArgument, networkArgument } from '../../arguments/common.js';
import { badInput, quote } from '../../errors.js';

const network = networkArgument('Network of the X-chain.');

export const vertexArguments = { network, vertexHash: idArgument('Hash of the vertex, CB58.') };

const LARGEST_HEIGHT = 2n ** 63n - 1n;

/** A height as decimal digits. */
export const vertexHeight = {
  type: 'Long',
  description: 'Only vertices of this height, of which there may be several.',
  schema: { type: 'integer', format: 'int64', minimum: 0 },
  read: (name: string, value: unknown) => {
    const height = [value].join('');
    if (/^\d{1,19}$/.test(height) && BigInt(height) <= LARGEST_HEIGHT) return height;
    throw badInput(`${name}: ${quote(height)} is not a height: a whole number of 0 to ${LARGEST_HEIGHT}`);
  },
};

export const vertexListArguments = {
  network,
  blockchainId: blockchainArgument(
    ['x'],
    'x-chain, or the id of that blockchain on the network: no other chain had vertices.',
    { example: 'x-chain', default: 'x-chain' },
  ),
  ...narrowing({ vertexHeight: optional(vertexHeight) }),
  sortOrder: choiceArgument(
    'SortOrder',
    ['asc', 'desc'],
    'Direction of the sort by time: desc lists the newest first.',
    'desc',
  ),
};

export type VertexNarrowing = Narrowing<typeof vertexListArguments>;

export type VertexQuery = ArgumentValues<typeof vertexListArguments>;
