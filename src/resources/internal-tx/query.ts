import { EVM_MAX } from '../../avalanche/evm.js';
import { badInput, Problems, quote } from '../../errors.js';
import { wholeDecimal } from '../../numbers.js';

/**
 * Reads a block number, which may come as `1e+21`. One beyond the stored range is as good as the largest.
 *
 * @throws AppError BAD_USER_INPUT
 */
export function readBlock(name: string, text: string): bigint {
  const block = wholeDecimal(text);
  if (block === null)
    throw badInput(`${name}: ${quote(text)} is not a block number: a whole number of 0 or more`);
  return block > EVM_MAX ? EVM_MAX : block;
}

/**
 * The blocks of a list, startBlock inclusive and endBlock exclusive; absent ones mean all.
 *
 * @throws AppError BAD_USER_INPUT that names every wrong one
 */
export function readBlockRange(args: { startBlock?: string | null; endBlock?: string | null }): {
  startBlock: bigint;
  endBlock: bigint;
} {
  const problems = new Problems();
  const read = (name: 'startBlock' | 'endBlock', fallback: bigint) => {
    const text = args[name];
    return text ? problems.check(() => readBlock(name, text)) : fallback;
  };
  const startBlock = read('startBlock', 0n) ?? 0n;
  const endBlock = read('endBlock', EVM_MAX) ?? EVM_MAX;
  problems.throwIfAny();
  return { startBlock, endBlock };
}
