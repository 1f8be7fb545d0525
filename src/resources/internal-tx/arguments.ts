import { narrowing, optional } from '../../arguments/argument.js';
import type { Argument, ArgumentValues, Narrowing } from '../../arguments/argument.js';
import { blockNumberSchema, readBlockNumber } from '../../arguments/common.js';
import { evmAddressArgument, evmHashArgument } from '../../arguments/evm.js';
import { EVM_MAX, readEvmAddress } from '../../avalanche/evm.js';
import { MAX_ADDRESSES } from '../../avalanche/input.js';
import { DIGITS, GIVEN_EVM_ADDRESS, only } from '../../avalanche/patterns.js';
import { badInput } from '../../errors.js';
import { chainArguments } from '../chain/arguments.js';

export const evmAddressArguments = {
  ...chainArguments,
  address: evmAddressArgument('Address, hex with 0x, in any case.', {
    example: '0x46744D1FeD52681e9e0Eecd3135836e202528Aa2',
  }),
};

/** What is missing where nothing is indexed of the chain of an address. @param texts of the parameters */
export const chainNotIndexed = (_values: unknown, { chainId }: { chainId?: string }): string =>
  `chain ${chainId} is not indexed here; /v1/chains lists those that are`;

function readBlock(name: string, value: unknown): bigint {
  const block = readBlockNumber(name, value);
  // A number above the stored range counts as the largest.
  return block > EVM_MAX ? EVM_MAX : block;
}

const startBlock: Argument<bigint> = {
  type: 'Decimal',
  description: 'Only blocks from this number on.',
  schema: { ...blockNumberSchema, default: 0 },
  default: '0',
  read: readBlock,
};

const endBlock: Argument<bigint> = {
  type: 'Decimal',
  description: 'Only blocks before this number. If omitted, up to the newest block.',
  schema: blockNumberSchema,
  optional: true,
  read: (name, value) => (value === undefined || value === null ? EVM_MAX : readBlock(name, value)),
};

export const internalTxListArguments = narrowing({ startBlock, endBlock });

export type InternalTxNarrowing = Narrowing<typeof internalTxListArguments>;

/** The internal transactions of an address on a chain; startBlock is inclusive, endBlock exclusive. */
export interface InternalTxQuery extends ArgumentValues<typeof internalTxListArguments> {
  evmChainId: string;
  /** Hex with 0x. */
  address: string;
}

/** The arguments of a chain's internal transactions, without the chain; filters combine with AND. */
export const chainInternalTxArguments = {
  ...narrowing({
    txHash: optional(
      evmHashArgument('Only internal transactions of this transaction: its hash, hex with 0x in any case.'),
    ),
    blockNumber: optional<bigint>({
      type: 'BigNumber',
      description: 'Only internal transactions of this block.',
      schema: { type: 'string', pattern: only(DIGITS) },
      read: readBlock,
    }),
  }),
  ...internalTxListArguments,
};

/** Several addresses: with the checksum of EIP-55, each once. */
const addresses: Argument<string[] | null> = optional({
  type: ['String'],
  description: `Only internal transactions that any of these addresses sent or received, at most ${MAX_ADDRESSES}: hex with 0x in any case. If omitted, all of the chain. An empty list matches nothing.`,
  schema: { type: 'array', items: { type: 'string', pattern: only(GIVEN_EVM_ADDRESS) } },
  read: (name, value) => {
    const given = value as readonly unknown[];
    if (given.length > MAX_ADDRESSES)
      throw badInput(`${name}: ${given.length} are too many; at most ${MAX_ADDRESSES}`);
    return [...new Set(given.map((each) => readEvmAddress(name, String(each))))];
  },
});

/** The arguments of a stream of internal transactions. */
export const liveArguments = { ...chainArguments, addresses, txHash: chainInternalTxArguments.txHash };

export type ChainInternalTxNarrowing = Narrowing<typeof chainInternalTxArguments>;

/** The internal transactions of a chain. */
export interface ChainInternalTxQuery extends ArgumentValues<typeof chainInternalTxArguments> {
  /** Null for a chain that is not stored: it has none. */
  evmChainId: string | null;
}
